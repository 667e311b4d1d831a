import { test } from "vitest";
import { memoryBackend } from "holdall/memory";
import { justBashShell } from "holdall/just-bash";
import { Bash } from "just-bash/browser";
test("b", async () => {
  const b = memoryBackend({ cwd: "/w", shell: justBashShell() }); const sh = b.shell!;
  const cpu = async (f: () => Promise<unknown>) => { const t = process.cpuUsage(); await f(); const d = process.cpuUsage(t); return Math.round((d.user + d.system) / 1000); };
  const c = "for i in {1..3000}; do echo $i; done"; const lim = { maxExecutionTimeMs: 60000 };
  for (let r = 0; r < 3; r++) {
    console.log(JSON.stringify({
      ours: await cpu(() => sh.run(c).exit), silent: await cpu(() => sh.run(`eval :; ${c}`).exit),
      raw: await cpu(() => new Bash({ defenseInDepth: false, executionLimits: lim }).exec(c)),
      rawSignal: await cpu(() => new Bash({ defenseInDepth: false, executionLimits: lim }).exec(c, { signal: new AbortController().signal })),
      run: await cpu(async () => { for (let i = 0; i < 200; i++) await sh.run("echo hi").exit; }), rawRun: await cpu(async () => { for (let i = 0; i < 200; i++) await new Bash({ defenseInDepth: false }).exec("echo hi"); }),
    }));
  }
}, 60000);
