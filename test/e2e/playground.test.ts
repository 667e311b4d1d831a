/** The playground from end to end, as a person uses it, under its real content security policy. */
import { vi } from "vitest";
import { openBench } from "./bench.ts";
import { endpointCases } from "./endpoint.cases.ts";
import { filesCases } from "./files.cases.ts";
import { handCases } from "./hand.cases.ts";
import { looksCases } from "./looks.cases.ts";
import { scriptCases } from "./script.cases.ts";

// On a machine that is busy with the other runtimes, a browser is slow; that is no fault of the page.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const bench = openBench();

scriptCases(bench);
filesCases(bench);
handCases(bench);
endpointCases(bench);
looksCases(bench);
