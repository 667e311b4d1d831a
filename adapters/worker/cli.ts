#!/usr/bin/env node
/** The command `holdall`. */

import { errorText } from "holdall";
import { readCommandLine, USAGE } from "./cli-options.ts";
import { type RunningServer, startServer } from "./serve-command.ts";

/** The exit code after a mistake in the command line, as usual. */
const MISUSED = 2;

try {
  const command = readCommandLine(process.argv.slice(2));
  if (command === undefined) process.stdout.write(`${USAGE}\n`);
  else await serve(await startServer(command, (error) => say(errorText(error))), command.root);
} catch (error) {
  say(errorText(error));
  process.exitCode = MISUSED;
}

async function serve(server: RunningServer, root: string): Promise<void> {
  if (!server.isLocal) say("others on the network can reach this server and read what goes over it; put TLS in front");
  process.stdout.write(`holdall serves ${root} at ${server.url}\n`);
  const signal = await nextSignal();
  // Whoever asks twice does not want to wait.
  process.once(signal, () => process.exit(1));
  await server.close();
  process.exit(0);
}

function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve(signal));
  });
}

function say(text: string): void {
  process.stderr.write(`holdall: ${text}\n`);
}
