/** Ends a process together with all it has started. */

import { spawn } from "node:child_process";

/** Processes that were started for a command, and share a group on hosts that have groups. */
export interface ProcessGroup {
  /** The process that was started first. */
  readonly pid: number;
  /** Sends a signal to all; they may be gone already. */
  signal(name: "SIGTERM" | "SIGKILL"): void;
  /** Whether any of them is there still, be it only as an entry that nobody has collected yet. */
  isAlive(): boolean;
}

/** Names the group that a detached process leads. */
export function processGroup(pid: number): ProcessGroup {
  return process.platform === "win32" ? windowsTree(pid) : posixGroup(pid);
}

function posixGroup(pid: number): ProcessGroup {
  const send = (name: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(-pid, name);
    } catch (error) {
      // Somebody who may not be signalled is there all the same.
      return error instanceof Error && "code" in error && error.code === "EPERM";
    }
  };
  return { pid, signal: (name) => void send(name), isAlive: () => send(0) };
}

function windowsTree(pid: number): ProcessGroup {
  return {
    pid,
    // Nothing on Windows can be asked to end itself politely without a window.
    signal: () => {
      const killer = spawn("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore", windowsHide: true });
      killer.on("error", () => {});
    },
    isAlive: () => false,
  };
}
