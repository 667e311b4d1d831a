/** Reads the command line of `holdall serve`. */

import { parseArgs } from "node:util";
import { HoldallError } from "holdall";

/** What the command is asked to do. */
export interface ServeCommand {
  root: string;
  tokenFile: string;
  host: string;
  port: number;
  readOnly: boolean;
  /** Whether commands are run. */
  shell: boolean;
  /** Origins of pages that may use the server. */
  origins: string[];
}

/** The port when none is named. */
const DEFAULT_PORT = 7420;

/** How the command is used. */
export const USAGE: string = `Usage: holdall serve --root DIR --token-file FILE [options]

Serves a directory and a shell in it to remoteBackend of holdall/worker, to whoever has the token.

  --root DIR            the directory; nothing outside of it can be read or written by file calls.
                        Commands of the shell can do whatever this process may do.
  --token-file FILE     holds the token, readable by nobody else (chmod 600)
  --port N              the port, 0 for any that is free (${DEFAULT_PORT})
  --host H              the address to listen on (127.0.0.1). Others can read what goes over the network:
                        put TLS in front of any address but this machine's own
  --read-only           refuse writes and commands
  --no-shell            refuse commands
  --allow-origin O      let pages of this origin in; may be repeated
  --help                show this`;

/**
 * Reads the command line.
 *
 * @param parameters What stands behind the name of the program.
 * @returns What to do; undefined when help is asked for.
 * @throws HoldallError `USAGE`
 */
export function readCommandLine(parameters: readonly string[]): ServeCommand | undefined {
  const { values, positionals } = parse(parameters);
  if (values.help === true) return undefined;
  if (positionals.join(" ") !== "serve") throw usage("the only command is `serve`");
  const { root, "token-file": tokenFile, port = String(DEFAULT_PORT) } = values;
  if (root === undefined || root === "") throw usage("--root is missing");
  if (tokenFile === undefined || tokenFile === "") throw usage("--token-file is missing");
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw usage(`--port cannot be ${JSON.stringify(port)}`);
  return {
    root,
    tokenFile,
    host: values.host ?? "127.0.0.1",
    port: Number(port),
    readOnly: values["read-only"] ?? false,
    shell: !(values["no-shell"] ?? false),
    origins: values["allow-origin"] ?? [],
  };
}

function parse(parameters: readonly string[]) {
  try {
    return parseArgs({
      args: [...parameters],
      allowPositionals: true,
      options: {
        root: { type: "string" },
        "token-file": { type: "string" },
        host: { type: "string" },
        port: { type: "string" },
        "read-only": { type: "boolean" },
        "no-shell": { type: "boolean" },
        "allow-origin": { type: "string", multiple: true },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw usage(error instanceof Error ? error.message.replace(/\.\s.*$/s, "") : "the options cannot be read");
  }
}

function usage(what: string): HoldallError {
  return new HoldallError("USAGE", `${what}. See \`holdall --help\`.`);
}
