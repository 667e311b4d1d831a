import { describe, expect, test } from "vitest";
import { compileGrepPattern, type GrepPatternOptions, MAX_GREP_PATTERN } from "../../../src/backend/grep-pattern.ts";
import { HoldallError } from "../../../src/base/errors.ts";

function matched(pattern: string, text: string, options?: GrepPatternOptions): string[] {
  return [...text.matchAll(compileGrepPattern(pattern, options).regexp)].map(([match]) => match);
}

function failure(pattern: string, options?: GrepPatternOptions): HoldallError {
  try {
    compileGrepPattern(pattern, options);
  } catch (error) {
    if (HoldallError.is(error)) return error;
  }
  throw new Error(`${pattern} was accepted.`);
}

describe("compileGrepPattern", () => {
  test.each<[pattern: string, text: string, expected: string[]]>([
    ["a[^x]*", "ab\nc", ["ab"]],
    ["a\\s*b", "a \tb a\nb", ["a \tb"]],
    ["a\\W", "a! a\n a\r\n", ["a!"]],
    ["\\D+", "a\nb1", ["a", "b"]],
    ["[\\s\\S]+", "a\nb", ["a", "b"]],
    ["[^]+", "a\r\nb", ["a", "b"]],
    ["(?s)a.+", "ab\nc", ["ab"]],
    ["\\s+$", "a  \r\nb\t", ["  ", "\t"]],
    ["foo(?!\\s)", "foo bar foo\nfoox", ["foo", "foo"]],
    ["(?<=\\s)a", "x\na a", ["a"]],
    ["\\r$", "a\r\nb\n", ["\r"]],
    ["[\\r]", "a\r\nb", ["\r"]],
    ["\\p{Lu}.", "éA漢Éx", ["A漢", "Éx"]],
    ["^.$", "🦊", []],
    ["^🦊$", "🦊", ["🦊"]],
    ["🦊+", "🦊🦊", ["🦊🦊"]],
    ["[[:upper:][:digit:]_]+", "aB1_c", ["B1_"]],
    ["[^[:space:]]+", "a b\nc", ["a", "b", "c"]],
    ["[[:punct:]]+", "a-[b]!", ["-[", "]!"]],
    ["\\[[:alpha:]\\]", "[:alpha:]", []],
    ["(?P<year>\\d{4})-\\k<year>", "2026-2026 2025-2026", ["2026-2026"]],
    ["interface{}", "interface{}", ["interface{}"]],
    ["--pre=sh", "--pre=sh", ["--pre=sh"]],
    ["\\$\\{", "${", ["${"]],
    ["", "a", ["", ""]],
  ])("reads %j line by line", (pattern, text, expected) => {
    expect(matched(pattern, text)).toEqual(expected);
  });

  test.each<[pattern: string, options: GrepPatternOptions, text: string, expected: string[]]>([
    ["(?i)FOO", {}, "Foo foo", ["Foo", "foo"]],
    ["(?-i)foo", { ignoreCase: true }, "Foo foo", ["foo"]],
    ["(?i)(?s)F.", {}, "fo", ["fo"]],
    ["(?im)^é", {}, "É\né", ["É", "é"]],
    ["foo", { ignoreCase: true }, "FOO", ["FOO"]],
    ["a\\nb", { multiline: true }, "a\nb a\r\nb", ["a\nb", "a\r\nb"]],
    ["a\nb", { multiline: true }, "a\r\nb", ["a\r\nb"]],
    ["a\\n+b", { multiline: true }, "a\r\n\nb", ["a\r\n\nb"]],
    ["a.b", { multiline: true }, "a\nb", ["a\nb"]],
    ["a[^b]+b", { multiline: true }, "a\n\nb", ["a\n\nb"]],
    ["^b$", { multiline: true }, "a\r\nb\r\nc", ["b"]],
  ])("reads %j with %j", (pattern, options, text, expected) => {
    expect(matched(pattern, text, options)).toEqual(expected);
  });

  test.each<[pattern: string, what: RegExp]>([
    ["(", /Unterminated|parenthes|missing|\)/i],
    ["[a", /class|\]/i],
    ["a**", /repeat/i],
    ["(?x)a", /flag x/],
    ["(?iU)a", /flag U/],
    ["a\\nb", /multiline/],
    ["a\nb", /multiline/],
    ["a[\\r\\n]b", /multiline/],
    ["(".repeat(101) + ")".repeat(101), /deeper than 100/],
    ["a".repeat(MAX_GREP_PATTERN + 1), /longer than 4096/],
    ["[[:klingon:]]{2,1}", /./],
  ])("refuses %j with a reason", (pattern, what) => {
    const { code, message } = failure(pattern);
    expect([code, message]).toEqual(["GREP_PATTERN_INVALID", expect.stringMatching(what)]);
  });

  test("refuses what may never end, names the part and the way out", () => {
    const { code, message, data } = failure("x(a+)+$");
    expect(code).toBe("GREP_PATTERN_UNSAFE");
    expect(data).toEqual({ pattern: "x(a+)+$", part: "(a+)+" });
    expect(message).toMatch(/"\(a\+\)\+" can match the same text in too many ways\. .*not "\(a\+\)\+"/);
  });

  test.each([
    ["foo", 1 << 16],
    ["foo.*bar", 1 << 10],
    ["foo.*bar.*baz", 160],
    ["a.*b.*c.*d", 64],
    ["a.*b.*c.*d.*e", 36],
    ["(?:ab){1000}", 375],
    ["(a).*\\1", 136],
    ["a.*(?=b)", 1536],
  ])("gives %j a window of %i characters", (pattern, window) => {
    expect(compileGrepPattern(pattern).window).toBe(window);
  });

  test.each([
    ["foo", false],
    ["foo.*bar", true],
    ["(?:ab){999}", true],
    ["(a).*\\1", false],
    ["a.*(?=b)", false],
    ["(?:a.{999}){6}.*b", false],
  ])("makes an automaton for what is not quick for sure, and can be one: %j", (pattern, hasOne) => {
    expect(compileGrepPattern(pattern).automaton !== undefined).toBe(hasOne);
  });

  test("refuses nothing of what people search for", () => {
    const usual = [
      "function\\s+\\w+",
      "log.*Error",
      "interface\\{\\}",
      "^import .* from ['\"](.*)['\"];?$",
      "(get|set)[A-Z]\\w*\\(",
      "class\\s+(\\w+)(\\s+extends\\s+(\\w+))?\\s*\\{",
      "https?://[^\\s\"'<>]+",
      "\\b\\d{1,3}(?:\\.\\d{1,3}){3}\\b",
      "[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}",
      "console\\.(log|warn|error)\\(",
      "catch\\s*\\(\\s*\\w*\\s*\\)\\s*\\{\\s*\\}",
      "(?:TODO|FIXME|XXX)(?:\\([^)]*\\))?:?",
      "\\$\\{[^}]+\\}",
      "^\\s*(?:export\\s+)?(?:default\\s+)?(?:async\\s+)?function\\s*\\*?\\s*(\\w+)",
      '"version":\\s*"(\\d+)\\.(\\d+)\\.(\\d+)(?:-[\\w.]+)?"',
      "#[0-9a-fA-F]{3}(?:[0-9a-fA-F]{3})?\\b",
      "\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:?\\d{2})?",
      "^(?=.*foo)(?=.*bar).*$",
      "(\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*')",
      "def \\w+\\([^)]*\\)\\s*(->\\s*[^:]+)?:",
      "\\bpublic\\s+(static\\s+)?(final\\s+)?\\w+(<[^>]+>)?\\s+\\w+\\s*\\(",
      "SELECT\\s+.+\\s+FROM\\s+\\w+",
    ];
    const patterns = usual.map((pattern) => compileGrepPattern(pattern));
    expect(patterns.filter(({ window, automaton }) => window < 512 && automaton === undefined)).toEqual([]);
  });
});
