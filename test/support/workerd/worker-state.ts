/** The state that vitest's own workers have; vitest looks for it before it does anything. */

/**
 * Gives this worker that state; call it before vitest loads. Only what vitest reads outside its own pools is here: `expect`,
 * `vi` and the runner work, snapshots and module mocks do not.
 */
export function provideWorkerState(): void {
  const state = {
    ctx: { pool: "workerd" },
    config: { name: "workerd", expect: { poll: { timeout: 30_000 } }, fakeTimers: {}, snapshotOptions: {} },
    environment: { name: "workerd" },
    onCleanup: (): void => {},
  };
  Object.defineProperty(globalThis, "__vitest_worker__", { value: state, configurable: true, writable: true });
}
