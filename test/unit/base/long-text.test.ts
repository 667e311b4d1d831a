/** A text in pieces, against the same text as one string. */

import { expect, test } from "vitest";
import { createLongText } from "../../../src/base/long-text.ts";
import { forAll } from "../property.ts";

test("answers as one string does, whatever its pieces are and in whatever order it is asked", () =>
  forAll(300, (random) => {
    const pieces = Array.from({ length: random.below(6) }, () =>
      Array.from({ length: random.below(5) }, () => random.pick(["a", "\n", "é", "🦊"])).join(""),
    );
    const whole = pieces.join("");
    const text = createLongText(pieces);
    expect(text.length).toBe(whole.length);
    for (let question = 0; question < 30; question += 1) {
      const at = random.below(whole.length + 2);
      const to = at + random.below(whole.length + 2);
      expect([
        text.slice(at, to),
        text.indexOf("\n", at),
        text.lastIndexOf("\n", at),
        text.charCodeAt(at),
        text.codePointAt(at),
      ]).toEqual([
        whole.slice(at, to),
        whole.indexOf("\n", at),
        whole.lastIndexOf("\n", at),
        whole.charCodeAt(at),
        whole.codePointAt(at),
      ]);
    }
  }));
