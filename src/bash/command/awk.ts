/** Reads an awk program: whether it only computes and prints. */

/** After these words a slash starts a pattern, not a division. */
const keyword = /^(print|printf|return|in|else|do|case|if|while|for|getline|delete|exit|next|BEGIN|END|and|or)$/;
const token =
  /\s+|#[^\n]*|"(?:\\[\s\S]|[^"\\\n])*"|[A-Za-z_]\w*|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|\|\||&&|>=|>>|[-+*/%^=!<>]=|\+\+|--|[\s\S]/gy;

/** Tells whether a program runs no command, writes no file, reads none besides those it is given and loads nothing. */
export function isHarmlessAwk(program: string): boolean {
  let previous = "";
  let isPrint = false;
  let depth = 0;
  token.lastIndex = 0;
  for (let match = token.exec(program); match !== null; match = token.exec(program)) {
    let [text] = match;
    if (/^(\s|#)/.test(text)) {
      // Behind these, and inside parentheses, a statement goes on in the next line.
      if (text.includes("\n") && depth <= 0 && !/^(,|&&|\|\|)$/.test(previous)) isPrint = false;
      continue;
    }
    if (text.startsWith("/") && startsPattern(previous)) {
      const end = patternEnd(program, match.index + 1);
      if (end === undefined) return false;
      token.lastIndex = end;
      text = '"';
    }
    if (
      /^(system|getline|close|fflush|ARGV|ARGC|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|include|load|@|\||>>|`|\\)$/.test(text)
    )
      return false;
    if (text === ">" && isPrint && depth === 0) return false;
    if (text === "print" || text === "printf") {
      isPrint = true;
      depth = 0;
    } else if (text === "(" || text === "[") depth += 1;
    else if (text === ")" || text === "]") depth -= 1;
    else if (text === ";" || text === "{" || text === "}") isPrint = false;
    // An opening quote alone has no end.
    if (text === '"' && program[match.index] === '"') return false;
    previous = text;
  }
  return true;
}

function startsPattern(previous: string): boolean {
  if (previous === "" || keyword.test(previous)) return true;
  return !/^[\w"'.$)\]]/.test(previous) && previous !== "++" && previous !== "--";
}

/** Finds the position behind the slash that ends a pattern; brackets hide it in some awks only. */
function patternEnd(program: string, start: number): number | undefined {
  for (let at = start; at < program.length; at += 1) {
    const character = program.charAt(at);
    if (character === "\\") at += 1;
    else if (character === "\n" || character === "[") {
      if (character === "\n") return undefined;
      const close = program.indexOf("]", at + (program.startsWith("[^", at) ? 3 : 2));
      if (close < 0 || program.slice(at, close).includes("/")) return undefined;
      at = close;
    } else if (character === "/") return at + 1;
  }
  return undefined;
}
