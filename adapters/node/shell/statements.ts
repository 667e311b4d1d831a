/** Takes apart what shells print about their variables. */

/**
 * Splits a list of assignments and declarations, as `set`, `export -p` and `declare -p` print it, into one statement for
 * each variable, by its name. Values may hold line ends, in any kind of quotes.
 */
export function splitStatements(text: string): Map<string, string> {
  const statements = new Map<string, string>();
  for (let from = 0; from < text.length; ) {
    const end = statementEnd(text, from);
    const statement = text.slice(from, end);
    const name = /^(?:declare -\S+ |export )?([A-Za-z_]\w*)/.exec(statement)?.[1];
    if (name !== undefined) statements.set(name, statement);
    from = end + 1;
  }
  return statements;
}

const special = /['"\\\n]/g;

/** Finds the line end that is in no quotes. */
function statementEnd(text: string, from: number): number {
  special.lastIndex = from;
  for (let match = special.exec(text); match !== null; match = special.exec(text)) {
    const at = match.index;
    const [mark] = match;
    if (mark === "\n") return at;
    if (mark === "\\") special.lastIndex = at + 2;
    else if (mark === "'" && text[at - 1] !== "$") {
      const close = text.indexOf("'", at + 1);
      if (close === -1) return text.length;
      special.lastIndex = close + 1;
    } else special.lastIndex = quoteEnd(text, at + 1, mark);
  }
  return text.length;
}

/** Finds where quotes end in which a backslash takes away the meaning of the next character. */
function quoteEnd(text: string, from: number, mark: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === mark) return at + 1;
  }
  return text.length;
}
