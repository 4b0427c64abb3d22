import { TestAgent } from "./test-agent.ts";

/** After which commit of an agent's life it is killed, and whether that commit is still on its way to the disk then. */
export type Kill = { readonly commit: number; readonly durable: boolean };

const kills = new Map<string, Kill>();
const commits = new Map<string, number>();
const killed = new Set<string>();

/** Say when the agent of this name is to be killed: once. */
export const killAt = (name: string, kill: Kill): void => void kills.set(name, kill);
export const wasKilled = (name: string): boolean => killed.has(name);
export const commitsOf = (name: string): number => commits.get(name) ?? 0;

/** An agent that is killed by its own storage, between two commits of the engine. */
export class KillingAgent extends TestAgent {
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    watch(ctx);
    super(ctx, env);
  }
}

/** Count the transactions that wrote an event, and stop the object after the one that was named. */
function watch(ctx: DurableObjectState): void {
  const { storage } = ctx;
  const native = storage.transactionSync.bind(storage);
  let depth = 0;
  Object.defineProperty(storage, "transactionSync", {
    configurable: true,
    value: <T>(work: () => T): T => {
      depth += 1;
      const before = depth === 1 ? head(storage) : 0;
      try {
        return native(work);
      } finally {
        depth -= 1;
        if (depth === 0 && head(storage) > before) committed(ctx);
      }
    },
  });
}

function committed(ctx: DurableObjectState): void {
  const name = ctx.id.name ?? "";
  const count = commitsOf(name) + 1;
  commits.set(name, count);
  const kill = kills.get(name);
  if (kill?.commit !== count || killed.has(name)) return;
  killed.add(name);
  const abort = (): void => ctx.abort("killed by the test");
  if (kill.durable) void ctx.storage.sync().then(abort);
  else abort();
}

function head({ sql }: DurableObjectStorage): number {
  const [table] = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'thinklog_events'");
  if (!table) return 0;
  return Number(sql.exec("SELECT max(position) AS position FROM thinklog_events").one()["position"] ?? 0);
}
