/** Tool names that a provider accepts, and the way back to the real ones. */

/** What providers allow in a tool name, up to this length. */
export const MAX_WIRE_NAME = 64;

/** The names of one request, both ways; no two names ever share a wire name. */
export interface ToolNames {
  /** The wire names of the offered tools. */
  readonly offered: ReadonlySet<string>;
  /** Gives the name to send; a name that was not offered, such as one from the history, gets its own too. */
  toWire(name: string): string;
  /** Gives the real name; a wire name nobody was given, such as one a model made up, comes back as it is. */
  fromWire(wire: string): string;
}

/**
 * Makes names of ASCII letters, digits, `_` and `-`, at most `maxLength` long.
 *
 * A legal name stays as it is. Any other becomes its legal part and a hash of the whole, which depends on the name
 * alone, so that prompts stay cacheable from one request to the next. Should the hash meet a name already in use, it
 * is drawn again.
 *
 * @param names The names of the offered tools.
 * @param maxLength The longest name the provider takes, at least 16. Defaults to {@link MAX_WIRE_NAME}.
 */
export function createToolNames(names: Iterable<string>, maxLength: number = MAX_WIRE_NAME): ToolNames {
  const wires = new Map<string, string>();
  const originals = new Map<string, string>();
  const toWire = (name: string): string => {
    const known = wires.get(name);
    if (known !== undefined) return known;
    let wire = isLegal(name, maxLength) ? name : hashedName(name, 0, maxLength);
    for (let salt = 1; originals.has(wire); salt += 1) wire = hashedName(name, salt, maxLength);
    wires.set(name, wire);
    originals.set(wire, name);
    return wire;
  };
  // Legal names first: none of them may be displaced by the hash of another. Sorting makes the rest repeatable.
  const all = [...new Set(names)];
  for (const name of all) if (isLegal(name, maxLength)) toWire(name);
  for (const name of all.sort()) toWire(name);
  return { offered: new Set(originals.keys()), toWire, fromWire: (wire) => originals.get(wire) ?? wire };
}

function isLegal(name: string, maxLength: number): boolean {
  return name.length <= maxLength && /^[A-Za-z0-9_-]+$/.test(name);
}

function hashedName(name: string, salt: number, maxLength: number): string {
  const suffix = `_${hash(salt === 0 ? name : `${salt} ${name}`)}`;
  const legal = name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, maxLength - suffix.length);
  return (/[A-Za-z0-9]/.test(legal) ? legal : "tool") + suffix;
}

/** FNV-1a over UTF-16 units, eight hexadecimal digits; it tells names apart, it protects nothing. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ (text.charCodeAt(at) & 0xff), 0x01000193);
    value = Math.imul(value ^ (text.charCodeAt(at) >>> 8), 0x01000193);
  }
  return (value >>> 0).toString(16).padStart(8, "0");
}
