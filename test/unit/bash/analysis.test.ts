// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions, not templates
import { describe, expect, test } from "vitest";
import { analyzeBash, type BashAnalysis, type BashOptions } from "../../../src/bash/index.ts";

/** What a line runs: the shown words of every unit, with wrappers named. */
function runs(command: string, options?: BashOptions): string[] {
  return analyzeBash(command, options).units.map(({ words }) => words.map(({ shown }) => shown).join(" "));
}

/** The text that each finding underlines. */
function underlined(command: string, list: "injection" | "dangers" | "outside" | "errors"): [string, string][] {
  return analyzeBash(command)[list].map(({ code, start, end }) => [code, command.slice(start, end)]);
}

describe("units", () => {
  test.each<[string, string[]]>([
    ["ls -la", ["ls -la"]],
    ["a; b && c || d | e & f", ["a", "b", "c", "d", "e", "f"]],
    ["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
    ["for x in 1 2; do a $x; done", ["a $x"]],
    ["while a; do b; done; until c; do d; done", ["a", "b", "c", "d"]],
    ["case x in a) b;; *) c;; esac", ["b", "c"]],
    ["f() { a; }; f", ["a", "f"]],
    ["(a); { b; }", ["a", "b"]],
    ["echo $(a `b`) <(c)", ["b", "a `b`", "c", "echo $(a `b`) /dev/fd/63"]],
    ["x=$(a)", ["", "a"]],
    ["echo ${x:-$(a)} $((1 + $(b)))", ["a", "b", "echo ${x:-$(a)} $((1 + $(b)))"]],
    ["cat <<E\n$(a)\nE", ["cat", "a"]],
    ["cat <<'E'\n$(a)\nE", ["cat"]],
    ["[[ -n $(a) ]]", ["a"]],
    ["coproc a b", ["a b"]],
    ["time -p ! a", ["a"]],
    ["sh -c 'a; b'", ["sh -c a; b", "a", "b"]],
    ["eval 'a b' c", ["eval a b c", "a b c"]],
    ["trap 'a' EXIT", ["trap a EXIT", "a"]],
    ["find . -exec a {} \\; -exec b {} +", ["find . -exec a {} ; -exec b {} +", "a {}", "b {}"]],
    ["env -S 'a b'", ["env -S a b", "a b"]],
    ["{a,b}c d", ["ac bc d"]],
    ["\\a 'b' \"c\" $'d' e\\ f", ["a b c d e f"]],
  ])("%j runs %j", (command, expected) => {
    expect(runs(command)).toEqual(expected);
  });

  test("have their words, spans, assignments and redirections", () => {
    const command = "A=1 timeout 5 sort -o out 'a b' $X > log 2>&1";
    const [unit] = analyzeBash(command).units;
    expect(unit).toMatchObject({
      name: "sort",
      wrappers: ["timeout"],
      peeled: [2],
      assignments: [{ name: "A", value: "1" }],
      redirects: [
        { operator: ">", target: "log", writes: true },
        { operator: ">&", target: "1", writes: false },
      ],
      readOnly: false,
      start: 0,
      end: command.length,
    });
    expect(unit?.words.map(({ text, shown, start, end }) => [text, shown, command.slice(start, end)])).toEqual([
      ["timeout", "timeout", "timeout"],
      ["5", "5", "5"],
      ["sort", "sort", "sort"],
      ["-o", "-o", "-o"],
      ["out", "out", "out"],
      ["a b", "a b", "'a b'"],
      [undefined, "$X", "$X"],
    ]);
    expect(unit?.reasons.map(({ code, start, end }) => [code, command.slice(start, end)])).toEqual([
      ["environment", "A=1"],
      ["write", command],
      ["option", "-o"],
      ["dynamic-option", "$X"],
    ]);
  });

  test("inside of single-quoted code have the spans of the line", () => {
    const command = "echo a; sh -c 'ls; rm x' && ls";
    const [, , list, remove] = analyzeBash(command).units;
    expect([list, remove].map((unit) => command.slice(unit?.start, unit?.end))).toEqual(["ls", "rm x"]);
  });

  test("inside of code whose positions do not map have the span of the whole word", () => {
    for (const [command, place] of [
      ['sh -c "rm \\"x\\""', '"rm \\"x\\""'],
      ["echo `echo \\`rm x\\``", "`echo \\`rm x\\``"],
    ] as const) {
      const unit = analyzeBash(command).units.find(({ name }) => name === "rm");
      expect(command.slice(unit?.start, unit?.end)).toBe(place);
    }
  });

  test("say where a tool's sub-command stands and where rules may start", () => {
    const [push] = analyzeBash("git -C x --no-pager push").units;
    const [sudo] = analyzeBash("nice sudo -n rm x").units;
    expect([push?.globals, push?.spelling, push?.open]).toEqual([3, 3, 2]);
    expect([sudo?.peeled, sudo?.wrappers, sudo?.open]).toEqual([[1, 3], ["nice", "sudo"], 1]);
  });
});

describe("findings", () => {
  test.each<[string, "injection" | "dangers" | "outside" | "errors", [string, string][]]>([
    ["ls; $X -rf", "injection", [["dynamic-command", "$X"]]],
    ["ls $(touch x)", "injection", [["substitution", "$(touch x)"]]],
    ['echo "a" "${v@P}"', "injection", [["prompt-expansion", "${v@P}"]]],
    ["echo $((x))", "injection", [["arithmetic", "x"]]],
    ["[[ -v a[x] ]]", "injection", [["hidden-subscript", "a[x]"]]],
    ["cat a | sh", "injection", [["input-code", "sh"]]],
    ["eval $x", "injection", [["dynamic-code", "$x"]]],
    [
      "ls\u200b a",
      "injection",
      [
        ["control-character", "\u200b"],
        ["look-alike", "ls\u200b"],
      ],
    ],
    ["ls\u00a0-la", "injection", [["look-alike", "ls\u00a0-la"]]],
    ["rm -rf build", "dangers", [["recursive-removal", "rm -rf build"]]],
    ["rm x /", "dangers", [["system-removal", "/"]]],
    ["cp a .git/hooks/b", "dangers", [["protected-path", ".git/hooks/b"]]],
    ["cat a .env", "dangers", [["secret", ".env"]]],
    ["chmod 777 a", "dangers", [["open-permissions", "777"]]],
    ["a() { b; }; b() { a; }", "dangers", [["fork-bomb", "a() { b; }; b() { a; }"]]],
    ["cat ../a b", "outside", [["outside", "../a"]]],
    ['cat "$X"', "outside", [["unknown-path", '"$X"']]],
    ["ls 'a", "errors", [["syntax", "'"]]],
    [
      "ls $(cat 'a)",
      "errors",
      [
        ["syntax", "$"],
        ["syntax", "'"],
      ],
    ],
  ])("%j: %s %j", (command, list, expected) => {
    expect(underlined(command, list)).toEqual(expected);
  });

  test("are sentences with the word they are about", () => {
    const { units, dangers, injection } = analyzeBash("frobnicate x; cat .env; ls $(touch a)");
    expect([units[0]?.reasons[0], dangers[0], injection[0]]).toEqual([
      { code: "unknown", message: "Not known to be harmless: frobnicate", start: 0, end: 12 },
      { code: "secret", message: "Reveals secrets: .env", start: 18, end: 22 },
      {
        code: "substitution",
        message: "The output of another command decides what this does.",
        start: 27,
        end: 37,
      },
    ]);
  });
});

describe("paths", () => {
  const options = { cwd: "/work/app", home: "/home/ada", workingDirectories: ["/work/app", "/work/lib"] };
  const touched = (command: string, more: BashOptions = options): unknown[] =>
    analyzeBash(command, more).paths.map(({ text, path, access, inside }) => [text, path, access, inside]);

  test.each<[string, unknown[]]>([
    ["cat a", [["a", "/work/app/a", "read", true]]],
    ["cat ../lib/a", [["../lib/a", "/work/lib/a", "read", true]]],
    ["cat ../../etc/a", [["../../etc/a", "/etc/a", "read", false]]],
    [
      "cat ~/a ~ada/b",
      [
        ["~/a", "/home/ada/a", "read", false],
        ["~ada/b", undefined, "read", false],
      ],
    ],
    ["cat $HOME/a", [["/home/ada/a", "/home/ada/a", "read", false]]],
    ["ls src/*.ts", [["src/*.ts", "/work/app/src/*.ts", "list", true]]],
    [
      "cd src && cat a",
      [
        ["src", "/work/app/src", "enter", true],
        ["a", "/work/app/src/a", "read", true],
      ],
    ],
    [
      "cd src; cat a",
      [
        ["src", "/work/app/src", "enter", true],
        ["a", undefined, "read", true],
      ],
    ],
    [
      "(cd src); cat a",
      [
        ["src", "/work/app/src", "enter", true],
        ["a", "/work/app/a", "read", true],
      ],
    ],
    [
      "cd $X; cat a",
      [
        ["$X", undefined, "enter", false],
        ["a", undefined, "read", false],
      ],
    ],
    [
      "cp -t b a",
      [
        ["b", "/work/app/b", "write", true],
        ["a", "/work/app/a", "read", true],
      ],
    ],
    [
      "mv a b c",
      [
        ["a", "/work/app/a", "remove", true],
        ["b", "/work/app/b", "remove", true],
        ["c", "/work/app/c", "write", true],
      ],
    ],
    ["sed -i p a", [["a", "/work/app/a", "write", true]]],
    [
      "echo > a < b",
      [
        ["a", "/work/app/a", "write", true],
        ["b", "/work/app/b", "read", true],
      ],
    ],
    [
      "grep -f p x a",
      [
        ["p", "/work/app/p", "read", true],
        ["x", "/work/app/x", "read", true],
        ["a", "/work/app/a", "read", true],
      ],
    ],
    ["grep x a", [["a", "/work/app/a", "read", true]]],
    [
      "sort -o a b",
      [
        ["a", "/work/app/a", "write", true],
        ["b", "/work/app/b", "read", true],
      ],
    ],
    [
      "dd if=a of=b",
      [
        ["a", "/work/app/a", "read", true],
        ["b", "/work/app/b", "write", true],
      ],
    ],
    [
      "cat {a,b}",
      [
        ["a", "/work/app/a", "read", true],
        ["b", "/work/app/b", "read", true],
      ],
    ],
    ["X=a; cat $X", [["a", "/work/app/a", "read", true]]],
    [
      "for f in a b; do cat $f; done",
      [
        ["a", "/work/app/a", "read", true],
        ["b", "/work/app/b", "read", true],
      ],
    ],
    ['for f in *.ts; do cat "$f"; done', [["*.ts", "/work/app/*.ts", "read", true]]],
  ])("%j touches %j", (command, expected) => {
    expect(touched(command)).toEqual(expected);
  });

  test("relative ones count as inside where nothing is known about the folder", () => {
    expect(touched("cat a ../b /c", {})).toEqual([
      ["a", undefined, "read", true],
      ["../b", "/b", "read", false],
      ["/c", "/c", "read", false],
    ]);
  });

  test("start from the first working directory where no folder is given", () => {
    expect(touched("cat a", { workingDirectories: ["/w", "/v"] })).toEqual([["a", "/w/a", "read", true]]);
  });
});

describe("options", () => {
  test("protected names extend the defaults", () => {
    const dangers = (command: string): string[] =>
      analyzeBash(command, { dangerousFiles: ["prod.yml"], dangerousDirectories: ["deploy/"] }).dangers.map(
        ({ code }) => code,
      );
    expect([
      dangers("touch prod.yml"),
      dangers("rm Deploy/a"),
      dangers("touch .bashrc"),
      dangers("touch a.yml"),
    ]).toEqual([["protected-path"], ["protected-path"], ["protected-path"], []]);
  });

  test("bash alone is trusted with what a POSIX sh reads differently", () => {
    const lines = ["(( x = 1 > 0 ))", "[[ a && $b == c ]]", "echo $'it\\'s'", "[[ a > b ]]"];
    const verdicts = (dialect: BashOptions["dialect"]): boolean[] =>
      lines.map((line) => analyzeBash(line, { dialect }).readOnly);
    expect([verdicts("bash"), verdicts("sh"), verdicts("any")]).toEqual([
      [true, true, true, true],
      [false, false, false, false],
      [false, false, false, false],
    ]);
  });

  test("the same line gives an equal reading, and readings share nothing", () => {
    const first = analyzeBash("cat a; rm b");
    const second = analyzeBash("cat a; rm b");
    expect(second).toEqual(first);
    const lists = (analysis: BashAnalysis): unknown[] => [analysis.units, analysis.paths, analysis.injection];
    expect(lists(first).some((list, index) => list === lists(second)[index])).toBe(false);
  });

  test("nothing is not a command", () => {
    expect(["", " ", "\n\t"].map((line) => analyzeBash(line).readOnly)).toEqual([false, false, false]);
  });
});
