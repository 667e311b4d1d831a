import { describe, expect, test } from "vitest";
import { analyzeBash, judgeBash, matchBashRule, suggestBashRules } from "../../../src/bash/index.ts";
import facts from "./cases/agentscope.json";
import { disagreements } from "./cases/disagreements.ts";
import { type DecisionFacts, decide } from "./decide.ts";

/** What AgentScope's own tests pin about one command line. */
interface Fact {
  check: string;
  command: string;
  expected: unknown;
  immune?: boolean;
  suggested?: string[];
  dangerousFiles?: string[];
  rule?: string;
  mode?: string;
  rules?: { allow?: string[]; deny?: string[]; ask?: string[] };
  workingDirectories?: string[];
}

const pathCommands = /^(rm|mv|cp|chmod|chown|chgrp|touch|ln|sed|mkdir|rmdir)$/;

/** Asks the room what AgentScope's check asks; what comes out compares with `expected`. */
function answer(fact: Fact): unknown {
  const analysis = analyzeBash(fact.command, { dangerousFiles: fact.dangerousFiles });
  const { units, paths } = analysis;
  switch (fact.check) {
    case "is_read_only_command":
      return analysis.readOnly;
    case "check_injection_risk":
      return analysis.injection.length + analysis.errors.length > 0;
    case "check_dangerous_command":
    case "check_sed_constraints":
      return analysis.dangers.length > 0;
    case "extract_file_paths":
      return paths.flatMap(({ unit: index, text }) => {
        const unit = units[index];
        if (unit?.redirects.some(({ target }) => target === text)) return [["redirect", text]];
        return pathCommands.test(unit?.name ?? "") ? [[unit?.name, text]] : [];
      });
    case "extract_redirections":
      return units.flatMap(({ redirects }) => redirects.flatMap(({ writes, target }) => (writes ? [target] : [])));
    case "extract_command_prefixes":
      return suggestBashRules(analysis).map((content) => content.replace(/:\*$/, ""));
    case "Bash.generate_suggestions":
      return suggestBashRules(analysis);
    case "Bash.match_rule":
      return matchBashRule(fact.rule ?? "", analysis, "deny");
    case "Bash.check_permissions": {
      const { silent, immune } = judgeBash(analysis);
      if (silent) return "allow";
      return immune.length > 0 ? "ask" : "passthrough";
    }
    default:
      return decide(fact.command, readFacts(fact));
  }
}

function readFacts({ mode, rules, workingDirectories }: Fact): DecisionFacts {
  const contents = (list: string[] = []): string[] => list.map((rule) => rule.replace(/^Bash\((.*)\)$/, "$1"));
  return {
    mode: mode as DecisionFacts["mode"],
    allow: contents(rules?.allow),
    deny: contents(rules?.deny),
    ask: contents(rules?.ask),
    workingDirectories,
  };
}

/** Findings are compared as present or absent: their wording is our own. */
function expectation({ check, expected }: Fact): unknown {
  return /^check_(injection|dangerous|sed)/.test(check) ? expected !== null : expected;
}

describe("AgentScope's facts", () => {
  const all: readonly Fact[] = facts;

  test("are all there", () => {
    expect(all.length).toBe(420);
  });

  test("hold, except where the table of disagreements says why not", () => {
    const differing = all.filter((fact) => JSON.stringify(answer(fact)) !== JSON.stringify(expectation(fact)));
    const found = new Set(differing.map(({ check, command }) => `${check}: ${command}`));
    const listed = new Set(disagreements.flatMap(({ check, commands }) => commands.map((one) => `${check}: ${one}`)));
    expect([...found].sort()).toEqual([...listed].sort());
  });

  test("each disagreement has a reason", () => {
    expect(disagreements.filter(({ reason, commands }) => reason === "" || commands.length === 0)).toEqual([]);
  });

  test("what must be asked stays immune to rules", () => {
    const immune = all.filter((fact) => fact.immune === true && answer(fact) === "ask");
    expect(immune.length).toBeGreaterThan(15);
    expect(immune.filter(({ command }) => decide(command, { allow: ["*", command] }) === "allow")).toEqual([]);
  });

  test("the commands of decisions are suggested alike, as far as a rule would help", () => {
    const differing = all.flatMap(({ command, suggested }) => {
      const ours = suggestBashRules(analyzeBash(command));
      return suggested === undefined || JSON.stringify(ours) === JSON.stringify(suggested) ? [] : [[command, ours]];
    });
    // No rule silences a danger, and files are suggested word for word.
    expect(new Map(differing as [string, string[]][])).toEqual(
      new Map([
        ["mkdir", ["mkdir"]],
        ["cat file.txt > /tmp/output.txt", ["cat file.txt > /tmp/output.txt"]],
        ["rm /home/user/.bashrc", []],
        ["ls -la && rm ~/.bashrc", []],
        ["rm -rf /", []],
        ["rm /Users/someone/other/foo", ["rm /Users/someone/other/foo"]],
        ["touch /Users/someone/other/foo", ["touch /Users/someone/other/foo"]],
        ["mkdir /Users/someone/other/newdir", ["mkdir /Users/someone/other/newdir"]],
        ["cp /tmp/project/a /Users/someone/other/b", ["cp /tmp/project/a /Users/someone/other/b"]],
        ["cp /Users/someone/other/a /tmp/project/b", ["cp /Users/someone/other/a /tmp/project/b"]],
        ["mv /tmp/project/a /Users/someone/other/b", ["mv /tmp/project/a /Users/someone/other/b"]],
        ["sed -i 's/x/y/g' /Users/someone/other/foo.txt", ["sed -i s/x/y/g /Users/someone/other/foo.txt"]],
      ]),
    );
  });
});
