/** Random sequences of changes, in memory. */

import { openMemory } from "./ground.ts";
import { editSequenceCases } from "./tables/edit-sequences.ts";

editSequenceCases(openMemory, 8);
