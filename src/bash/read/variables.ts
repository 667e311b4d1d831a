/** Variables: what the line itself makes of them, and which of them steer programs. */

import { UNKNOWN_HOME } from "../path/settings.ts";
import { addName, setVariable } from "../scan.ts";
import type { Scan, Value } from "../state.ts";

const MAX_QUESTIONS = 64;
const digits: Value = { digits: true };
const numeric = new Set(
  "? # $ ! RANDOM SRANDOM SECONDS LINENO UID EUID PPID BASHPID COLUMNS LINES SHLVL OPTIND EPOCHSECONDS".split(" "),
);

/** Variables that change which programs run, what they load, or where they look for their settings. */
const steering =
  /^(PATH|IFS|ENV|CDPATH|SHELL|SHELLOPTS|BASHOPTS|GLOBIGNORE|EXECIGNORE|POSIXLY_CORRECT|HOME|USERPROFILE|TMPDIR|TEMP|TMP|PS[0-4]|PROMPT_COMMAND|HIST\w+|EDITOR|VISUAL|BROWSER|\w*PAGER\w*|\w*_?(EDITOR|BROWSER|ASKPASS)|LESS\w*|MAN\w+|MORE|GREP_\w+|RIPGREP_\w+|ACK\w*|TAR_OPTIONS|GZIP|GZIP_OPT|BZIP2?|XZ_\w+|ZIPOPT|UNZIP|XDG_\w+|TERMINFO\w*|TERMCAP|\w*RC|KUBE\w*|CLASSPATH|JDK_\w+|_?JAVA_\w+|MAGIC|LOCPATH|NLSPATH|GCONV_PATH|TZDIR|TEXTDOMAINDIR|MALLOC_\w+|GLIBC_\w+|RES_OPTIONS|HOSTALIASES|\w+_(proxy|PROXY)|NODE_(?!ENV$)\w+|AWK\w*|GAWK\w*|MAKE\w*|CC|CXX|LD|AS|GO\w+|RUSTC\w*|RUSTUP\w*|RUST_(?!LOG$|BACKTRACE$)\w+|GIT\w*|LD_\w*|DYLD_\w*|BASH_\w*|BASH_FUNC\w*|PYTHON(?!UNBUFFERED$|IOENCODING$|UTF8$|DONTWRITEBYTECODE$)\w*|PERL\w*|RUBY\w*|GEM_\w*|BUNDLE\w*|NPM_\w*|npm_\w*|YARN_\w*|PNPM_\w*|PIP_\w*|UV_\w*|DOCKER\w*|COMPOSE_\w*|GH_\w*|SSH_\w*|CURL_\w*|OPENSSL_\w*|SSL_\w*|CARGO\w*|AWS_\w*|HTTP\w*)$/;
const harmless =
  /^(NODE_ENV|PYTHONUNBUFFERED|PYTHONIOENCODING|PYTHONUTF8|PYTHONDONTWRITEBYTECODE|RUST_LOG|RUST_BACKTRACE|LANG|LANGUAGE|LC_\w+|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|DEBUG|VERBOSE|CI|USER|LOGNAME|TZ|COLUMNS|LINES|BLOCKSIZE|[a-z]\w*|_)$/;
const harmlessSettings =
  /^((GIT_|MAN|BAT_|GH_)?PAGER=(cat)?|GIT_OPTIONAL_LOCKS=0|GIT_TERMINAL_PROMPT=0|GIT_(EDITOR|ASKPASS)=(true|:|echo)?|EDITOR=(true|:)?|PATH=\$PATH)$/;

/** Tells whether setting a variable of the shell leaves all programs as they are. */
export function isSteering(name: string): boolean {
  return /^[a-z]/.test(name) ? /^npm_|_proxy$/.test(name) : steering.test(name);
}

/** Tells whether a program may be given a variable without changing what it does beyond looks. */
export function isHarmlessVariable(name: string, value: string | undefined): boolean {
  if (value !== undefined && harmlessSettings.test(`${name}=${value}`)) return true;
  return harmless.test(name) && !isSteering(name);
}

/** Gives what is known about a variable, a positional or a special parameter. */
export function lookUp(scan: Scan, name: string): Value | undefined {
  if (numeric.has(name) && !scan.others.has(name)) return digits;
  const value = scan.variables.get(name);
  if (value !== undefined) return value;
  if (scan.others.has(name) || scan.numbers.has(name)) return undefined;
  if (name === "HOME" && scan.settings.home !== UNKNOWN_HOME) return { texts: [scan.settings.home] };
  const [folder] = scan.folders;
  if (name === "PWD" && folder !== undefined && scan.folders.length === 1) return { texts: [folder] };
  return undefined;
}

/** Notes that a variable gets a value; undefined where the value is not known. */
export function noteAssigned(scan: Scan, name: string, value: Value | undefined): void {
  const whole = value?.digits || value?.texts?.every((text) => /^-?\d+$/.test(text));
  if (whole) scan.numbers = addName(scan.numbers, name);
  else scan.others = addName(scan.others, name);
  setVariable(scan, name, value !== undefined && isAssignedOnce(scan, name) ? value : undefined);
}

/** Tells whether the whole line names a variable only once, except to expand it: then its value cannot change. */
function isAssignedOnce(scan: Scan, name: string): boolean {
  if (name === "") return false;
  // Bounded, because each question reads the whole line.
  scan.questions += 1;
  if (scan.questions > MAX_QUESTIONS) return false;
  if (scan.root.includes(`\${${name}:=`) || scan.root.includes(`\${${name}=`)) return false;
  let count = 0;
  for (let at = scan.root.indexOf(name); at >= 0; at = scan.root.indexOf(name, at + name.length)) {
    const before = scan.root[at - 1] ?? " ";
    const after = scan.root[at + name.length] ?? " ";
    if (/\w/.test(before) || /\w/.test(after) || before === "$" || (before === "{" && scan.root[at - 2] === "$"))
      continue;
    count += 1;
    if (count > 1) return false;
  }
  return count === 1;
}
