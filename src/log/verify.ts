import { chainHash, GENESIS } from "./chain.ts";
import type { EventLog } from "./event-log.ts";
import type { PayloadStore } from "./payload-store.ts";
import type { EventRow } from "./tables.ts";

/** Rows checked before the object answers other requests again. */
const CHUNK = 500;

/** The result of {@link verifyLog}. */
export type Verification = {
  readonly ok: boolean;
  readonly events: number;
  readonly head: string;
  readonly firstDivergence?: { readonly position: number; readonly reason: string };
};

/** Walk the whole chain and check every hash, every position and every payload that is still there. */
export async function verifyLog(log: EventLog, payloads: PayloadStore): Promise<Verification> {
  let head = GENESIS;
  let checked = 0;
  for (;;) {
    const rows = log.rowsAfter(checked, CHUNK);
    for (const row of rows) {
      const reason = divergence(row, checked + 1, head, payloads);
      if (reason) return { ok: false, events: checked, head, firstDivergence: { position: row.position, reason } };
      head = row.hash;
      checked += 1;
    }
    if (rows.length < CHUNK) return end(log, checked, head);
    await scheduler.wait(0);
  }
}

/** Nothing in a chain tells that its newest links are gone; the heads of the streams do. */
function end(log: EventLog, checked: number, head: string): Verification {
  if (log.newestHead() <= checked) return { ok: true, events: checked, head };
  const position = checked + 1;
  return { ok: false, events: checked, head, firstDivergence: { position, reason: `event ${position} is missing` } };
}

function divergence(row: EventRow, expected: number, head: string, payloads: PayloadStore): string | undefined {
  if (row.position !== expected) return `event ${expected} is missing`;
  const { hash, ...facts } = row;
  if (chainHash(head, facts) !== hash) return "the hash does not fit the event and the one before it";
  const altered = digestsIn(row.data).find((digest) => !payloads.intact(digest));
  return altered && `the content of payload ${altered} was changed`;
}

/** The payloads that an event names. */
const digestsIn = (data: string): string[] => {
  const { payload, metadata, output, body } = JSON.parse(data) as Record<string, unknown>;
  return [payload, metadata, output, body].filter((value) => typeof value === "string");
};
