/** Watches JSON text grow and knows when its object is closed. */

/** A scanner of JSON text that comes in pieces; every character is looked at once. */
export interface ObjectEnd {
  /** Whether a whole object has been seen. */
  readonly complete: boolean;
  push(text: string): void;
}

/** Starts a scanner; it counts brackets and knows strings, it does not validate. */
export function createObjectEnd(): ObjectEnd {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let complete = false;
  const step = (character: string): void => {
    if (escaped) escaped = false;
    else if (inString) {
      if (character === "\\") escaped = true;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) complete = true;
    }
  };
  return {
    get complete() {
      return complete;
    },
    push(text) {
      for (let at = 0; at < text.length && !complete; at += 1) step(text.charAt(at));
    },
  };
}
