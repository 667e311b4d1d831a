/** A worker that uses both storages by itself, and tells what it read. */

import type { Backend } from "holdall";
import { indexedDbBackend } from "holdall/indexeddb";
import { opfsBackend } from "holdall/opfs";

const scope = globalThis as unknown as {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent<string>) => void) | null;
};

const makers: Readonly<Record<string, (name: string) => Backend>> = {
  indexeddb: (name) => indexedDbBackend({ name }),
  opfs: (name) => opfsBackend({ name }),
  "opfs by handles": (name) => opfsBackend({ name, access: "handle" }),
};

scope.onmessage = ({ data }) => {
  const [kind = "", name = ""] = data.split("|");
  use(kind, name).then(scope.postMessage.bind(scope), (error: unknown) => scope.postMessage(String(error)));
};

async function use(kind: string, name: string): Promise<string> {
  const backend = makers[kind]?.(name);
  if (backend === undefined) return `no ${kind}`;
  const { fs } = backend;
  const { version } = await fs.write("/d/f", new TextEncoder().encode("one"));
  await fs.write("/d/f", new TextEncoder().encode("two"), { ifVersion: version });
  const [one, other] = await Promise.all([fs.read("/d/f"), fs.read("/d/f", { offset: 1 })]);
  const names: string[] = [];
  for await (const { path } of fs.walk("/")) names.push(path);
  await backend.close?.();
  return [new TextDecoder().decode(one.bytes), new TextDecoder().decode(other.bytes), ...names].join(" ");
}
