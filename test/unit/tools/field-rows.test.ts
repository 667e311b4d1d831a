/** The field cases of editing, writing and reading, in memory. */

import { openMemory } from "./ground.ts";
import { fieldRowCases } from "./tables/field-rows.ts";

fieldRowCases(openMemory);
