/** The reading of command lines against the bare parser with a full visit, and how it grows with the line. */
import { forEachChild, parse, type SyntaxNode } from "unbash";
import { analyzeBash, judgeBash, matchBashRule, suggestBashRules } from "../../src/bash/index.ts";
import facts from "../unit/bash/cases/agentscope.json";
import field from "../unit/bash/cases/field.json";
import { compare } from "./harness.ts";

const lines = [...field.map(({ input }) => input), ...facts.map(({ command }) => command)];

function visit(node: SyntaxNode): void {
  forEachChild(node, visit);
}

/**
 * Milliseconds in which each of the two is run before anything else. The analysis is twenty times as much code as a
 * visit, and until all of it is compiled, the time of the threads that compile it counts as its own.
 */
const WARM_UP = 3000;

for (const read of [(line: string) => visit(parse(line)), (line: string) => void analyzeBash(line)]) {
  for (const end = performance.now() + WARM_UP; performance.now() < end; ) for (const line of lines) read(line);
}

await compare({
  title: `${lines.length} command lines, against parsing them with a full visit`,
  rounds: 25,
  base: {
    name: "unbash parse + visit",
    run: () => {
      for (const line of lines) visit(parse(line));
    },
  },
  candidates: [
    {
      name: "analyzeBash",
      atMost: 3,
      run: () => {
        for (const line of lines) analyzeBash(line);
      },
    },
    {
      name: "a whole check: judge, two rules, suggest",
      run: () => {
        for (const line of lines) {
          const { analysis } = judgeBash(line);
          matchBashRule("rm:*", analysis, "deny");
          matchBashRule("git commit:*", analysis, "allow");
          suggestBashRules(analysis);
        }
      },
    },
  ],
});

/** Lines that make readers read again what they have read; each is refused or read to its end. */
const shapes: Record<string, (length: number) => string> = {
  parentheses: (length) => "(".repeat(length),
  substitutions: (length) => `echo ${"$(".repeat(length / 2)}`,
  "quoted substitutions": (length) => '"$('.repeat(length / 3),
  "process substitutions": (length) => `cat ${"<(".repeat(length / 2)}`,
  "escaped backticks": (length) => "`\\`\\\\\\`".repeat(length / 8),
  parameters: (length) => `echo ${`$${"{x:-"}`.repeat(length / 6)}`,
  evals: (length) => "eval ".repeat(length / 5),
  "lists of commands": (length) => "ls;".repeat(length / 3),
  redirections: (length) => `ls ${">a ".repeat(length / 3)}`,
  functions: (length) => "f(){ ls;};".repeat(length / 10),
  declarations: (length) => `export ${"A=1 ".repeat(length / 4)}`,
};

for (const [name, make] of Object.entries(shapes)) {
  const [half, whole, over] = [make(30_000), make(60_000), make(100_000)];
  await compare({
    title: `${name}: twice as long`,
    rounds: 5,
    base: { name: "30 kB", run: () => analyzeBash(half) },
    candidates: [
      { name: "60 kB", atMost: 3, run: () => analyzeBash(whole) },
      { name: "100 kB, refused", atMost: 1, run: () => analyzeBash(over) },
    ],
  });
}
