import type { Recorded } from "./dispatcher.ts";
import { isInsideStatusHook } from "./status-hook-scope.ts";

/** Wait until the hooks have heard and the alarm is set; inside a hook that would be to wait for oneself. */
export async function heard({ effects }: Recorded): Promise<void> {
  if (!isInsideStatusHook()) await effects;
}
