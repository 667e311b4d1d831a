// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables of shell scripts
import { describe, expect, test } from "vitest";
import { run, runAll, workspace } from "./just-bash-support.ts";

const persisting: readonly [name: string, commands: readonly string[], last: string][] = [
  ["the working directory", ["mkdir -p a/b; cd a/b", "cd ..", "pwd"], "/work/a\n"],
  ["where cd - goes", ["cd /tmp", "cd -; pwd"], "/work\n/work\n"],
  ["variables", ["x=1; y='a  b'", 'echo "$x $y"'], "1 a  b\n"],
  ["values of every kind", ["x=$'a\\nb\\t\"$(id)\"\\\\ é🙂'", 'printf %s "$x"'], 'a\nb\t"$(id)"\\ é🙂'],
  [
    "what is exported",
    ["export e=1; p=2; export q", "declare -p e; bash -c 'echo ${e-unset} ${p-unset}'"],
    'declare -x e="1"\n1 unset\n',
  ],
  ["that a variable is unset", ["x=1", "unset x", "echo ${x-unset}"], "unset\n"],
  ["arrays", ["a=(1 'b c' $'d\\ne'); a[7]=h", 'echo "${#a[@]} ${!a[@]} ${a[2]}"'], "4 0 1 2 7 d\ne\n"],
  [
    "associative arrays",
    [
      "declare -A m=([k]=v ['x y']=z); q=\"it's ]\"; m[\"$q\"]='w\"'",
      'q="it\'s ]"; echo "${#m[@]} ${m[k]} ${m[x y]} ${m["$q"]}"',
    ],
    '3 v z w"\n',
  ],
  ["an empty array", ["a=()", 'echo "${#a[@]}"; declare -p a'], "0\ndeclare -a a=()\n"],
  [
    "attributes",
    ["declare -i n=4; declare -l low=ABC; readonly r=1", "n=n+1; low=XYZ; echo $n $low; (r=2); echo $r"],
    "5 xyz\n1\nbash: r: readonly variable\n",
  ],
  ["references", ["a=1; declare -n ref=a", "ref=2; echo $a"], "2\n"],
  ["functions", ['f() { local v=$1; echo "f $v $x"; }; x=1', "x=2; f a"], "f a 2\n"],
  ["a function with a here-document", ["f() {\n  cat <<END\n  <$1>\nEND\n}", "f a"], "  <a>\n"],
  ["the last definition of a function", ["f() { echo 1; }", "f() { echo 2; }", "f"], "2\n"],
  ["that a function is unset", ["f() { echo 1; }", "unset -f f", "f"], "bash: f: command not found\n"],
  [
    "a function from a branch that was taken",
    ["if true; then f() { echo 1; }; fi; if false; then g() { echo 2; }; fi", "f; g"],
    "1\nbash: g: command not found\n",
  ],
  ["aliases", ["alias hi='echo hello'", "hi you"], "hello you\n"],
  ["IFS", ["IFS=,", 'x="a,b"; set -- $x; echo $#'], "2\n"],
  ["what was set before an exit", ["mkdir d; cd d; x=1; exit 3", "pwd; echo $x"], "/work/d\n1\n"],
  [
    "what was set before a nested exit",
    ["for i in 1 2; do if [ $i = 2 ]; then x=$i; false || exit; fi; done", "echo $x"],
    "2\n",
  ],
  [
    "what was set before a failure under set -e",
    ["mkdir d; set -e; cd d; x=1; false; x=2", "pwd; echo $x"],
    "/work/d\n1\n",
  ],
  [
    "nothing of a subshell",
    ["(cd /tmp; x=1); echo y | read z; f() { x=2; }; (f; exit 3)", "pwd; echo ${x-unset}${z-unset}"],
    "/work\nunsetunset\n",
  ],
  [
    "no shell options",
    ["set -euo pipefail; shopt -s globstar nullglob", "shopt globstar | tr -s '\\t' ' '; echo $none; false; echo on"],
    "globstar off\n\non\n",
  ],
  ["no positional parameters", ["set -- a b", "echo $#"], "0\n"],
  ["the state before a syntax error", ["x=1", "x=2; if", "echo $x"], "1\n"],
  [
    "the state before a deadline, a limit and a broken-off script",
    ["x=1", "x=2; echo > $(echo none/f)", "x=3; f() { f; }; f", "echo $x"],
    "1\n",
  ],
];

describe("a session of a just-bash shell", () => {
  test.each(persisting)("keeps %s", async (_name, commands, last) => {
    const printed = await runAll(workspace().shell, commands);
    expect(printed.at(-1)).toBe(last);
  });

  test.each([
    ["exit", "exit", 0],
    ["exit of the last status", "false; exit", 1],
    ["exit with a number", "true; exit 7", 7],
    ["exit with a variable", "x=300; exit $x", 44],
    ["exit under set -e", "set -e; false || exit 5", 5],
    ["exit in a group", "{ echo; exit 6; }; echo no", 6],
    ["exit in a function", "f() { exit 8; }; f; echo no", 8],
    ["exit in a subshell", "(exit 9)", 9],
    ["the last command", "true; (exit 4)", 4],
    ["a failure under set -e", "set -e; (exit 3); echo no", 3],
  ])("leaves the code of %s as it is", async (_name, command, code) => {
    expect((await run(workspace().shell, command)).exit.code).toBe(code);
  });

  test("shows nothing of what carries it", async () => {
    const { shell } = workspace();
    await run(shell, "a=(1 2); f() { :; }; alias g=h");
    const { stdout, stderr } = await run(
      shell,
      "set -xv; true; declare -F; declare -p a; set | grep -c holdall; ls -A /dev /bin | grep -Ec '[0-9a-f]{24}'",
    );
    expect(stdout).toBe('declare -f f\ndeclare -a a=([0]="1" [1]="2")\n0\n0\n');
    expect(stderr.split("\n").filter((line) => /[0-9a-f]{24}|declare -p$|_key/.test(line))).toEqual([]);
  });

  test("knows nothing of the others", async () => {
    const { shell } = workspace();
    await run(shell, "cd /tmp; x=1; f() { echo f; }", { session: "a" });
    expect((await run(shell, "pwd; echo ${x-unset}; f", { session: "b" })).stdout).toBe("/work\nunset\n");
    expect((await run(shell, "pwd; echo $x; f", { session: "a" })).stdout).toBe("/tmp\n1\nf\n");
    expect((await run(shell, "pwd")).stdout).toBe("/work\n");
  });

  test("runs its commands one after another, whoever is faster", async () => {
    const backend = workspace();
    const all = ["x=1; sleep 0.05; echo a$x", "x=$((x + 1)); sleep 0.01; echo b$x", "x=$((x + 1)); echo c$x"].map(
      (command) => run(backend.shell, command),
    );
    expect((await Promise.all(all)).map(({ stdout }) => stdout)).toEqual(["a1\n", "b2\n", "c3\n"]);
  });

  test("lets a waiting command go without disturbing the others", async () => {
    const backend = workspace();
    const controller = new AbortController();
    const first = run(backend.shell, "sleep 0.05; echo 1 >> log");
    const second = backend.shell.run("echo 2 >> log", { signal: controller.signal });
    const third = run(backend.shell, "echo 3 >> log; cat log");
    controller.abort(new Error("not needed"));
    await expect(second.exit).rejects.toThrow("not needed");
    await first;
    expect((await third).stdout).toBe("1\n3\n");
  });

  test("lends the variables of one call, and keeps what the command makes of them", async () => {
    const { shell } = workspace();
    await run(shell, "x=old; export y=old");
    const env = { x: "lent", y: "lent", z: "lent", w: "lent" };
    expect((await run(shell, "bash -c 'echo $x $y $z'; w=own", { env })).stdout).toBe("lent lent lent\n");
    expect((await run(shell, "echo $x $y ${z-unset} $w; declare -p x y | cut -c 1-10")).stdout).toBe(
      "old old unset own\ndeclare --\ndeclare -x\n",
    );
  });

  test("moves with the folder it is given", async () => {
    const { shell } = workspace({ "/work/a/f": "" });
    expect((await run(shell, "pwd; ls", { cwd: "/work/a" })).stdout).toBe("/work/a\nf\n");
    expect((await run(shell, "cd ..; pwd")).exit.cwd).toBe("/work");
  });

  test("can be used on when its folder is gone", async () => {
    const { shell } = workspace();
    await run(shell, "mkdir d; cd d; rm -r ../d");
    expect((await run(shell, "cd /work; pwd")).stdout).toBe("/work\n");
  });

  test("carries arrays of random text unchanged", async () => {
    const seed = 20_261_129;
    const random = generator(seed);
    const alphabet = [
      "a",
      "B",
      "0",
      " ",
      "'",
      '"',
      "\\",
      "$",
      "`",
      "(",
      ")",
      "[",
      "]",
      "{",
      "}",
      "=",
      "*",
      "?",
      "~",
      "!",
      "#",
      "&",
      ";",
      "|",
      "<",
      ">",
      "\n",
      "\t",
      "\u0001",
      "\u007f",
      "\u0085",
      "é",
      "🙂",
      "%",
      "/",
    ];
    const text = (): string => Array.from({ length: 1 + random(8) }, () => alphabet[random(alphabet.length)]).join("");
    const { shell } = workspace();
    for (let round = 0; round < 12; round += 1) {
      const values = Array.from({ length: 6 }, text);
      const env = Object.fromEntries(values.map((value, index) => [`v${index}`, value]));
      await run(shell, 'unset m a; declare -A m; a=("$v0" "$v1" "$v2"); m["$v3"]=$v4; m[plain]=$v5', { env });
      const { stdout } = await run(shell, `printf '%s\\0' "\${a[@]}" "\${!m[@]}" "\${m[@]}"`);
      const [a0, a1, a2, ...rest] = stdout.split("\0").slice(0, -1);
      const [, , , v3 = "", v4, v5] = values;
      const m = { [rest[0] ?? ""]: rest[2], [rest[1] ?? ""]: rest[3] };
      expect({ a: [a0, a1, a2], m }, `seed ${seed}, round ${round}`).toEqual({
        a: values.slice(0, 3),
        m: { [v3]: v4, plain: v5 },
      });
    }
  });
});

/** A small generator of whole numbers below a limit. */
function generator(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
