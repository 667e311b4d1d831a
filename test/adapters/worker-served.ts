/** The worker of the tests that need a real one: files in memory, a shell, and ways to die. */

import { justBashShell } from "holdall/just-bash";
import { memoryBackend } from "holdall/memory";
import { type PortLike, servePort } from "holdall/worker";

/** Serves a backend whose file `/crash` throws out of every call, and whose `/loop` never lets anybody else have a turn. */
export function serveInWorker(port: PortLike): void {
  const near = memoryBackend({
    cwd: "/work",
    files: { "/work/a.txt": "abc" },
    shell: justBashShell({ worker: false }),
  });
  servePort(port, {
    ...near,
    fs: {
      ...near.fs,
      stat: (path, options) => {
        if (path === "/crash") {
          setTimeout(() => {
            throw new Error("the worker crashed");
          }, 0);
          return new Promise(() => {});
        }
        if (path === "/loop") for (;;);
        return near.fs.stat(path, options);
      },
    },
  });
}
