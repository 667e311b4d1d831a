/** Asks the engine what the atoms of a regular expression take, each atom once: it alone knows all about case and classes. */

import { printRegExp, type RegExpItem } from "./regexp-syntax.ts";
import type { Steps } from "./steps.ts";

/** A set of characters: bit n is ASCII character n, bit 128 everything else. */
export type Characters = bigint;

/** What one atom takes. */
export interface Atom {
  readonly characters: Characters;
  /** Tells whether it takes a code point; without the flag `u`, a UTF-16 unit. */
  takes(code: number): boolean;
}

/** The atoms of expressions that are compiled with the same flags. */
export interface Atoms {
  readonly flags: string;
  /** Gives what is known of an atom, as it is written. */
  of(source: string): Atom;
}

/** Atoms that are asked about in one step. */
const ATOMS_PER_STEP = 32;

const ASCII = /* @__PURE__ */ String.fromCharCode(...Array.from({ length: 128 }, (_, code) => code));

/** A few samples settle classes like `\W`. */
const SAMPLES = ["é", "Ω", "中", "\u00a0", "\u2028", "\ufeff"];

/** Makes what is known of atoms; nothing is, at first. */
export function createAtoms(flags: string): Atoms {
  const known = new Map<string, Atom>();
  const asked = flags.replace(/[gym]/g, "");
  return {
    flags,
    of(source) {
      let atom = known.get(source);
      if (atom === undefined) {
        atom = ask(source, asked);
        known.set(source, atom);
      }
      return atom;
    },
  };
}

/** Asks about all atoms of an expression in short steps; whoever needs them later waits no more. */
export function* askAll(atoms: Atoms, choices: readonly RegExpItem[][]): Steps<void> {
  const sources = new Set<string>();
  printRegExp(choices, (source) => {
    sources.add(source);
    return source;
  });
  let asked = 0;
  for (const source of sources) {
    atoms.of(source);
    asked += 1;
    if (asked % ATOMS_PER_STEP === 0) yield undefined;
  }
}

function ask(source: string, flags: string): Atom {
  let whole: RegExp | undefined;
  const engine = (): RegExp => {
    whole ??= new RegExp(`^(?:${source})$`, flags);
    return whole;
  };
  const plain = source.length === 1 && !flags.includes("i") && !/[.\s]/.test(source);
  const characters = plain ? plainCharacters(source) : askCharacters(source, flags, engine());
  const others = new Map<number, boolean>();
  const ascii = Uint8Array.from({ length: 128 }, (_, code) => Number((characters >> BigInt(code)) & 1n));
  return {
    characters,
    takes(code) {
      if (code < 128) return ascii[code] === 1;
      let takes = others.get(code);
      if (takes === undefined) {
        takes = engine().test(String.fromCodePoint(code));
        others.set(code, takes);
      }
      return takes;
    },
  };
}

function plainCharacters(source: string): Characters {
  return 1n << BigInt(Math.min(source.charCodeAt(0), 128));
}

function askCharacters(source: string, flags: string, whole: RegExp): Characters {
  // One execution over all of ASCII costs a fraction of one for each character.
  const refused = new Set(ASCII.replace(new RegExp(source, `${flags}g`), ""));
  let set = 0n;
  for (let code = 0; code < 128; code += 1) if (!refused.has(String.fromCharCode(code))) set |= 1n << BigInt(code);
  // What is spelled out beyond ASCII is taken to overlap with the rest of it.
  const takesOthers = /[^\0-\x7f]|\\[uxpPc]/.test(source) || SAMPLES.some((sample) => whole.test(sample));
  return takesOthers ? set | (1n << 128n) : set;
}
