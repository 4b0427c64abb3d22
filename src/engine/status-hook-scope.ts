import { AsyncLocalStorage } from "node:async_hooks";

const scope = new AsyncLocalStorage<{ running: boolean }>();

/** Run a status hook so that what it calls can tell where it is. */
export async function insideStatusHook(run: () => void | Promise<void>): Promise<void> {
  const hook = { running: true };
  try {
    await scope.run(hook, run);
  } finally {
    hook.running = false;
  }
}

/**
 * Is this code called from a status hook that has not returned? To await an announcement there would be
 * to wait for oneself.
 */
export const isInsideStatusHook = (): boolean => scope.getStore()?.running === true;
