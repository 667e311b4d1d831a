/** Finds among the reports of the JSON Schema validator those that say something. */

import type { OutputUnit } from "@cfworker/json-schema";

/** Reports that only say that something within is wrong. */
const wrappers = new Set([
  "$recursiveRef",
  "$ref",
  "additionalItems",
  "additionalProperties",
  "allOf",
  "dependentSchemas",
  "if",
  "items",
  "patternProperties",
  "prefixItems",
  "properties",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/** Reports that say more than those within them. */
const summaries = new Set(["contains", "propertyNames"]);

/** Leaves the reports that say something: of nested ones the innermost, of alternatives the one that was meant. */
export function pickFaults(reports: readonly OutputUnit[]): OutputUnit[] {
  const faults: OutputUnit[] = [];
  for (let at = 0; at < reports.length; at += 1) {
    const report = reports[at];
    const next = reports[at + 1];
    if (report === undefined) break;
    if (report.keyword === "anyOf" || report.keyword === "oneOf") {
      const end = endOfInner(reports, at);
      for (const fault of pickAlternative(report, reports.slice(at + 1, end))) faults.push(fault);
      at = end - 1;
    } else if (summaries.has(report.keyword)) {
      faults.push(report);
      at = endOfInner(reports, at) - 1;
    } else if (next?.keyword === "false") {
      // A value where none may stand; the report before tells which rule says so.
      faults.push({ ...next, keywordLocation: report.keywordLocation, keyword: `no ${report.keyword}` });
      at += 1;
    } else if (!wrappers.has(report.keyword)) faults.push(report);
  }
  return faults.length > 0 ? faults : [...reports];
}

/** Reports of `false` do not tell where they stand; they follow one that does. */
function endOfInner(reports: readonly OutputUnit[], start: number): number {
  const prefix = `${reports[start]?.keywordLocation}/`;
  let end = start + 1;
  for (; end < reports.length; end += 1) {
    const report = reports[end];
    if (report?.keyword !== "false" && !report?.keywordLocation.startsWith(prefix)) break;
  }
  return end;
}

/** An alternative was meant when it is the only one of the right type and with the right constants in it. */
function pickAlternative(report: OutputUnit, inner: readonly OutputUnit[]): OutputUnit[] {
  const branches = splitBranches(report, inner);
  const depth = report.instanceLocation.split("/").length;
  const isOff = ({ keyword, instanceLocation }: OutputUnit): boolean => {
    const distance = instanceLocation.split("/").length - depth;
    return keyword === "const" || keyword === "enum" ? distance <= 1 : keyword === "type" && distance === 0;
  };
  const [only, ...others] = branches.map(pickFaults).filter((faults) => !faults.some(isOff));
  return only !== undefined && others.length === 0 && branches.length > 1 ? only : [report];
}

function splitBranches(report: OutputUnit, inner: readonly OutputUnit[]): OutputUnit[][] {
  const branches = new Map<string, OutputUnit[]>();
  let branch: OutputUnit[] = [];
  for (const each of inner) {
    if (each.keyword !== "false") {
      const [name = ""] = each.keywordLocation.slice(report.keywordLocation.length + 1).split("/", 1);
      branch = branches.get(name) ?? [];
      branches.set(name, branch);
    }
    branch.push(each);
  }
  return [...branches.values()];
}
