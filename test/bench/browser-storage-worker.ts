/** The other side of the measured ports: answers by itself, or serves a backend. */
import { memoryBackend } from "holdall/memory";
import { type PortLike, servePort } from "holdall/worker";

const scope = globalThis as unknown as PortLike & {
  name: string;
  postMessage(message: unknown, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<unknown>) => void) | null;
};

if (scope.name === "served") servePort(scope, memoryBackend());
else {
  const kept = new Uint8Array(1 << 20).fill(1);
  scope.onmessage = ({ data }) => {
    if (data !== "big") return scope.postMessage(data);
    const bytes = kept.slice();
    scope.postMessage(bytes, [bytes.buffer]);
  };
}
