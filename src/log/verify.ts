import { chainHash, GENESIS } from "./chain.ts";
import type { EventLog } from "./event-log.ts";
import type { PayloadStore } from "./payload-store.ts";
import { StreamHeads } from "./stream-heads.ts";
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
  const streams = new StreamHeads();
  for (;;) {
    const rows = log.rowsAfter(checked, CHUNK);
    for (const row of rows) {
      const reason = divergence(row, checked + 1, head, payloads);
      if (reason) return { ok: false, events: checked, head, firstDivergence: { position: row.position, reason } };
      head = row.hash;
      checked += 1;
      streams.add(row);
    }
    if (rows.length < CHUNK) return end(log, checked, head, streams);
    await scheduler.wait(0);
  }
}

/**
 * Nothing in a chain tells that its newest links are gone; the heads of the streams do. And a stream is found only
 * through its head: a wrong one hides events that are there.
 */
function end(log: EventLog, checked: number, head: string, streams: StreamHeads): Verification {
  const failed = (position: number, reason: string): Verification => ({
    ok: false,
    events: checked,
    head,
    firstDivergence: { position, reason },
  });
  if (log.newestHead() > checked) return failed(checked + 1, `event ${checked + 1} is missing`);
  const { wrong, bogus } = streams.differences(log.streamRows());
  const [first] = [...wrong, ...bogus];
  if (first) return failed(first.head, `the head of stream ${first.stream} is not what its events say`);
  return { ok: true, events: checked, head };
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
  const { payload, metadata, output, body, params } = JSON.parse(data) as Record<string, unknown>;
  return [payload, metadata, output, body, params].filter((value) => typeof value === "string");
};
