/** Calls through a `MessagePort` to another thread, against messages that do as little as possible. */
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { memoryBackend } from "holdall/memory";
import { portBackend, servePort } from "holdall/worker";
import { compare } from "./harness.ts";

const file = new Uint8Array(1 << 20).fill(7);

if (isMainThread) await measure();
else if (parentPort !== null && workerData === "bare") answerBare(parentPort);
else if (parentPort !== null) {
  servePort(parentPort, memoryBackend({ cwd: "/", files: { "/small": "small", "/big": file } }));
}

/** The other side of the base: a ping, or as many bytes as are read, made afresh and given away. */
function answerBare(port: NonNullable<typeof parentPort>): void {
  port.on("message", ({ id, read }: { id: number; read: boolean }) => {
    if (!read) return port.postMessage({ id });
    const bytes = file.slice();
    port.postMessage({ id, bytes }, [bytes.buffer]);
  });
}

async function measure(): Promise<void> {
  const bare = new Worker(new URL(import.meta.url), { workerData: "bare" });
  const waiting = new Map<number, (message: unknown) => void>();
  let count = 0;
  bare.on("message", (message: { id: number }) => {
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  const ask = (read: boolean): Promise<unknown> => {
    count += 1;
    const id = count;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      bare.postMessage({ id, read });
    });
  };
  const { fs, close } = await portBackend(new Worker(new URL(import.meta.url), { workerData: "served" }));

  await compare({
    title: "a small call through a port, against a ping",
    clock: "wall",
    base: { name: "ping", run: () => ask(false) },
    candidates: [{ name: "stat", atMost: 1.5, run: () => fs.stat("/small") }],
  });
  await compare({
    title: "1 MiB through a port, against bare postMessage with transfer (0.8 of its throughput)",
    clock: "wall",
    base: { name: "postMessage with transfer", run: () => ask(true) },
    candidates: [{ name: "read", atMost: 1 / 0.8, run: () => fs.read("/big") }],
  });
  await close?.();
  await bare.terminate();
}
