import { type AgentClient, inside } from "./agents.ts";

/** A storage that fails as the platform makes it fail. Ends with a call of `heal`, or with the object. */
export type Outage = { readonly heal: () => void; readonly failures: () => number };

/** Have the object's SQL statements throw. `hits` tells which do; all of them when absent. */
export const outage = (
  agent: AgentClient,
  error: () => Error,
  hits: (statement: string) => boolean = () => true,
): Promise<Outage> => inside(agent, (_, { storage }) => breakStorage(storage, error, hits));

/** The same, for code that is inside the object already. */
export function breakStorage(
  { sql }: DurableObjectStorage,
  error: () => Error,
  hits: (statement: string) => boolean = () => true,
): Outage {
  const exec = sql.exec.bind(sql);
  let failures = 0;
  sql.exec = ((statement: string, ...bindings: unknown[]) => {
    if (!hits(statement)) return exec(statement, ...bindings);
    failures += 1;
    throw error();
  }) as typeof sql.exec;
  return { heal: () => void (sql.exec = exec), failures: () => failures };
}
