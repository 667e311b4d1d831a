import { describe, expect, test } from "vitest";
import { isHarmlessAwk } from "../../../src/bash/command/awk.ts";
import { readSedScript } from "../../../src/bash/command/sed.ts";

describe("sed scripts", () => {
  test.each([
    "",
    "p",
    "1,10p",
    "$p",
    "$!d",
    "/a/,/b/p",
    "/a/I,+3d",
    "0~3p",
    "0,/x/d",
    "\\,a/b,d",
    "s/a/b/",
    "s/a/b/gI;s/c/d/2p",
    "s|/w|/e|",
    "s/\\//w/",
    "s/a/b\\\nc/",
    "s/[^]]x/y/",
    "y/abc/xyz/",
    "/w/d;/e/p",
    ":a;N;$!ba;s/\\n/ /g",
    ":a\nN\nta",
    "n;d",
    "{p;p}",
    "/a/{/b/!d;p}",
    "{\np\n}",
    "a\\\ntext; w file",
    "i text w file",
    "c\\text",
    "# w file",
    "p # w file",
    "l 5;q 3",
    "=",
    "F",
    "h;x;G;D;P;z",
    "! s/a/b/",
  ])("%j only edits text", (script) => {
    expect(readSedScript(script)).toEqual({ harmless: true, reads: [] });
  });

  test.each([
    "w f",
    "W f",
    "e",
    "e ls",
    "1e",
    "s/a/b/w f",
    "s/a/b/e",
    "s/a/b/ge",
    "s/a/b/x",
    "s/a/b",
    "s/a",
    "s",
    "s/[/]/b/",
    "s\na\nb\nw f",
    "y/a/b/w",
    "y/a/b",
    "{p",
    "p}",
    "}",
    "p p",
    "ppp",
    ":a w f",
    "ba w f",
    "t;w f",
    "1,w f",
    "/a",
    "\\",
    "v",
    "u",
    "1!1p",
    "a\\\ntext\nw f",
  ])("%j writes, runs, or is not understood", (script) => {
    expect(readSedScript(script)).toEqual({ harmless: false, reads: [] });
  });

  test("files that are read go on to the end of the line", () => {
    expect(readSedScript("r a;w b\nR c d\np")).toEqual({ harmless: true, reads: ["a;w b", "c d"] });
  });
});

describe("awk programs", () => {
  test.each([
    "",
    "{print}",
    "{print $1, $2}",
    "$1 > 5 {print $2}",
    "$1 > 5 && $2 < 3",
    "{ if ($1 > 5) print }",
    "/a|b/ {print}",
    "!/a>b/",
    "$0 ~ /x\\/y/",
    "{s += $1} END {print s / NR}",
    '{printf("%s\\n", $1)}',
    '{print "a > b | c"}',
    "# a > b | c\n{print}",
    "function f(a) { return a / 2 } {print f($1)}",
    "{print (a > b)}",
    '{gsub(/[|>]/, ""); print}',
    "{a[$1]++} END {for (k in a) print k, a[k]}",
    "{print $1/$2/$3}",
    "{x = y / 2; z = w / 3}",
    "BEGIN {while (i++ < 3) print i}",
    'length > 80 || /x/ {print "y"}',
  ])("%j only computes and prints", (program) => {
    expect(isHarmlessAwk(program)).toBe(true);
  });

  test.each([
    'BEGIN{system("x")}',
    'BEGIN{system ("x")}',
    '{print > "f"}',
    '{print $1 >> "f"}',
    '{printf "x" > "f"}',
    '{print | "sh"}',
    '{print |& "sh"}',
    '{"ls" | getline}',
    '{getline x < "f"}',
    '{print ENVIRON["A"]}',
    '@load "x"',
    '{f = "system"; @f("x")}',
    '{print 1,\n2 > "f"}',
    '{print 1 ||\n2 > "f"}',
    '/"/ {system("x")} #"',
    'BEGIN{a = 1 / 2; system("x"); b = 1 / 2}',
    'BEGIN{a = b[1] / 2; system("x"); c = 1 / 2}',
    'BEGIN{n++ / 2; system("x"); b = 1 / 2}',
    '{print length / 2; system("x"); b = 1 / 2}',
    "{print /[/]/}",
    "/a\nb/",
    '"unclosed',
    "{print `ls`}",
  ])("%j does more, or is not understood", (program) => {
    expect(isHarmlessAwk(program)).toBe(false);
  });
});
