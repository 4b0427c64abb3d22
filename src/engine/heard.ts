import type { Recorded } from "./dispatcher.ts";
import { statusHookScope } from "./hook-scope.ts";

/** Wait until the hooks have heard and the alarm is set; inside a hook that would be to wait for oneself. */
export async function heard({ effects }: Recorded): Promise<void> {
  if (!statusHookScope.isInside()) await effects;
}
