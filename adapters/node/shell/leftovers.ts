/** Ends what is left when this process exits without closing its shells. */

/** Things to do at the exit of the process; they cannot wait. */
const tasks = new Set<() => void>();

/**
 * Does something when the process exits; a process that is killed does nothing any more.
 *
 * @returns Forgets it again.
 */
export function atExit(task: () => void): () => void {
  if (tasks.size === 0) process.on("exit", runAll);
  tasks.add(task);
  return () => {
    tasks.delete(task);
    if (tasks.size === 0) process.off("exit", runAll);
  };
}

function runAll(): void {
  for (const task of tasks) {
    try {
      task();
    } catch {
      // The others have their turn all the same.
    }
  }
}
