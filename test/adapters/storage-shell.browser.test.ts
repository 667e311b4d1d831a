import type { Backend } from "holdall";
import { deleteIndexedDb, indexedDbBackend } from "holdall/indexeddb";
import { justBashShell } from "holdall/just-bash";
import { opfsBackend } from "holdall/opfs";
import { shellContract } from "holdall/testing";
import { describe, test } from "vitest";
import { freshName } from "./storage-support.ts";

const shell = justBashShell({ worker: false });

const kinds: Readonly<Record<string, { open(name: string): Backend; remove(name: string): Promise<void> }>> = {
  indexedDbBackend: { open: (name) => indexedDbBackend({ name, cwd: "/work", shell }), remove: deleteIndexedDb },
  opfsBackend: {
    open: (name) => opfsBackend({ name, cwd: "/work", shell }),
    remove: async (name) => {
      const root = await navigator.storage.getDirectory();
      await root.getDirectoryHandle(name, { create: true });
      await root.removeEntry(name, { recursive: true });
    },
  },
};

describe.each(Object.keys(kinds))("just-bash over %s", { timeout: 60_000 }, (kind) => {
  const opened = new WeakMap<object, { backend: Backend; name: string }>();
  const cases = shellContract({
    create: () => {
      const name = freshName();
      const backend = kinds[kind]?.open(name);
      if (backend?.shell === undefined) throw new Error("The backend has no shell.");
      opened.set(backend.fs, { backend, name });
      return { shell: backend.shell, fs: backend.fs, cwd: "/work" };
    },
    can: { ordered: true },
    destroy: async ({ fs }) => {
      const open = opened.get(fs);
      await open?.backend.close?.();
      await kinds[kind]?.remove(open?.name ?? "");
    },
  });
  for (const { name, run } of cases) test(name, run);
});
