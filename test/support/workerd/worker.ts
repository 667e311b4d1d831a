/** The worker that the shared test files are bundled into; each request runs one of them. */
import { entries, files } from "virtual:test-files";
import type { Line } from "./protocol.ts";
import { provideWorkerState } from "./worker-state.ts";

interface ExecutionContext {
  waitUntil(promise: Promise<unknown>): void;
}

/** Kept, so that the package's entries are loaded where a worker loads them: outside any request, without timers. */
export { entries };

export default {
  async fetch(request: Request, _environment: unknown, context: ExecutionContext): Promise<Response> {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const encoder = new TextEncoder();
    const send = (line: Line): Promise<void> => writer.write(encoder.encode(`${JSON.stringify(line)}\n`));
    context.waitUntil(answer(request, send).then(() => writer.close()));
    // Compressed, the lines would wait for each other.
    return new Response(readable, { headers: { "content-encoding": "identity" } });
  },
};

async function answer(request: Request, send: (line: Line) => Promise<void>): Promise<void> {
  provideWorkerState();
  // Loaded here because vitest makes a timer while it loads, which a worker allows only inside a request.
  const { runFile, toPlainError } = await import("./runner.ts");
  try {
    const { searchParams } = new URL(request.url);
    const path = searchParams.get("file") ?? "";
    const load = files[path];
    if (!load) throw new Error(`"${path}" is not in the bundle.`);
    const pattern = searchParams.get("pattern");
    const options = {
      path,
      load,
      timeout: Number(searchParams.get("timeout")),
      pattern: pattern === null ? undefined : new RegExp(pattern),
      allowOnly: searchParams.get("allowOnly") === "true",
    };
    await runFile(options, send);
  } catch (error) {
    await send({ type: "tree", id: "", tasks: [], errors: [toPlainError(error)] });
  }
  await send({ type: "end" });
}
