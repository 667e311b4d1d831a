/** The kinds of findings with their sentences. */

/** The longest command line that is read, in UTF-16 units. */
export const MAX_COMMAND_LENGTH = 65_536;

/** The deepest nesting of scripts, groups and substitutions that is followed. */
export const MAX_COMMAND_DEPTH = 48;

const sentences = {
  // errors
  "too-long": "The command is too long to be checked.",
  "too-complex": "The command is nested too deeply to be checked.",
  syntax: "The shell would not read this as it looks",
  // injection
  "control-character": "An invisible character makes the command look different from what runs.",
  "look-alike": "This character looks like a space or a letter, but is none to the shell.",
  dialect: "Shells read this in different ways.",
  zsh: "This means something in zsh that is not checked.",
  "dynamic-command": "What runs is decided only at run time.",
  substitution: "The output of another command decides what this does.",
  "dynamic-code": "Text that is known only at run time is run as code.",
  "input-code": "Input is run as code.",
  arithmetic: "Arithmetic runs what a variable or a text contains.",
  "prompt-expansion": "This expansion runs commands inside a variable.",
  indirect: "The name of a variable is taken from another one, and may run code.",
  shadowing: "This changes what a command name means.",
  "hidden-subscript": "The subscript of a variable name is evaluated and may run code.",
  // dangers
  "recursive-removal": "Removes folders with everything in them, without asking.",
  "system-removal": "Removes a folder that the system, the user or the work depends on.",
  "protected-path": "Touches a file or folder that configures programs or holds secrets",
  secret: "Reveals secrets",
  device: "Writes to a device.",
  disk: "Changes disks or raw data.",
  "open-permissions": "Lets everybody change files.",
  "change-owner": "Changes owners in whole folders.",
  "force-kill": "Kills processes without letting them finish.",
  "sed-script": "This sed script writes files or runs commands.",
  "fork-bomb": "Calls itself without an end.",
  shutdown: "Stops the machine.",
  network: "Opens a network connection.",
  // outside
  outside: "Reads outside of the workspace",
  // reasons
  unknown: "Not known to be harmless",
  changes: "Changes something",
  option: "This option changes something or runs a program",
  "unknown-option": "This option is not known to be harmless",
  "dynamic-option": "This may turn into an option that changes something.",
  operand: "This argument makes the command change something",
  write: "Writes a file",
  environment: "This variable can change what programs do",
  "runs-code": "Runs code that is not checked",
  privilege: "Runs with other rights.",
  launcher: "Runs another program in a way that is not checked",
  "foreign-directory": "Programs are configured by the folder they run in, and this one is not the workspace's.",
  "odd-name": "The command name is written in an unusual way.",
  definition: "Calls a function that changes something.",
  "unknown-path": "Which file is read is decided only at run time.",
  "shell-state": "Changes how the shell behaves",
  background: "Goes on in the background when the line has ended.",
} as const;

/** The kind of a {@link Finding}. */
export type FindingCode = keyof typeof sentences;

/** What was found, and where: positions are UTF-16 offsets into the command line, `[start, end)`. */
export interface Finding {
  /** The kind of finding; stable. */
  code: FindingCode;
  /** A sentence for people. */
  message: string;
  start: number;
  end: number;
}

/** Makes a finding; the detail is put behind sentences that leave room for one. */
export function finding(code: FindingCode, start: number, end: number, detail?: string): Finding {
  let message: string = sentences[code];
  if (message.charCodeAt(message.length - 1) !== 46) message += detail ? `: ${detail}` : ".";
  return { code, message, start, end };
}
