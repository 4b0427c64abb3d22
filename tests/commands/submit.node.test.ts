import { describe, test } from "vitest";
import { submit, type Submit } from "../../src/commands/index.ts";
import { turnStream } from "../../src/events/index.ts";
import type { MemoryLog } from "../../src/testing/memory-log.ts";
import { specifyDecider } from "../../src/testing/specify-decider.ts";
import {
  aborted,
  claimed,
  completed,
  deleted,
  failed,
  keyBound,
  mismatched,
  on,
  skipped,
  submitted,
  T1,
  T2,
  tombstoneExpired,
  TOMBSTONE,
} from "../support/facts.ts";

/** The payload's digest stands for its content: the same digest is the same messages. */
type Asked = { readonly turn: ReturnType<typeof submitted>; readonly idGiven?: boolean; readonly strict?: boolean };

const { given } = specifyDecider({
  stream: T1,
  state: (log) => log,
  decide: ({ turn: { data }, idGiven = true, strict = false }: Asked, log: MemoryLog) => {
    const command: Submit = { turn: data, idGiven, strict, now: 1000 };
    const byKey = streamOfKey(log, data.idempotencyKey);
    return submit(command, {
      byId: log.turn(turnStream(data.turnId)),
      ...(byKey !== undefined && { byKey: log.turn(byKey) }),
      samePayload: (stored) => stored === data.payload,
    });
  },
});

const streamOfKey = ({ projections }: MemoryLog, key: string | undefined): string | undefined => {
  if (key === undefined) return undefined;
  const row = projections.submissions.all().find(({ idempotencyKey }) => idempotencyKey === key);
  return row ? turnStream(row.submissionId) : projections.tombstones.load(key)?.stream;
};

const t1 = (over: Partial<ReturnType<typeof submitted>["data"]> = {}) => submitted(over);
const t2 = (over: Partial<ReturnType<typeof submitted>["data"]> = {}) => submitted({ turnId: "t2", ...over });
const keyed = t1({ idempotencyKey: "k" });

describe("acceptance", () => {
  test("S-1: a new submission opens its stream", () => {
    given().when({ turn: keyed }).then([keyed]);
  });

  test("S-14: after a deletion without retention, id and key are new work", () => {
    given(keyed, claimed(), completed(), deleted()).when({ turn: keyed }).then([keyed]);
  });
});

describe("S-10: a retry with the same messages writes nothing", () => {
  test.each([
    ["pending", []],
    ["running", [claimed()]],
    ["completed", [claimed(), completed()]],
    ["failed", [claimed(), failed()]],
    ["aborted", [aborted()]],
    ["skipped", [skipped()]],
  ])("by id, by key and by both, when the first is %s", (_, life) => {
    given(keyed, ...life)
      .when({ turn: t1() })
      .then([]);
    given(keyed, ...life)
      .when({ turn: keyed })
      .then([]);
    given(keyed, ...life)
      .when({ turn: t2({ idempotencyKey: "k" }), idGiven: false })
      .then([]);
  });
});

describe("S-12: id and key of different submissions are a conflict", () => {
  test("both are known, but not together", () => {
    given(keyed, on(T2, t2()))
      .when({ turn: t2({ idempotencyKey: "k" }) })
      .then("conflict");
  });

  test("the key is known under another id", () => {
    given(keyed)
      .when({ turn: t2({ idempotencyKey: "k" }) })
      .then("conflict");
  });

  test("the id is known under another key", () => {
    given(keyed)
      .when({ turn: t1({ idempotencyKey: "other" }) })
      .then("conflict");
  });

  test("an id that was generated is no part of the question", () => {
    given(keyed)
      .when({ turn: t2({ idempotencyKey: "k" }), idGiven: false })
      .then([]);
  });
});

describe("S-13 (decision 10): a key that comes with a known id is bound to it", () => {
  test("when there was none", () => {
    given(t1()).when({ turn: keyed }).then([keyBound()]);
  });

  test("once: the next retry finds it", () => {
    given(t1(), keyBound()).when({ turn: keyed }).then([]);
    given(t1(), keyBound())
      .when({ turn: t2({ idempotencyKey: "k" }), idGiven: false })
      .then([]);
  });

  test("and then no other", () => {
    given(t1(), keyBound())
      .when({ turn: t1({ idempotencyKey: "other" }) })
      .then("conflict");
  });
});

describe("FR-13: a retry with other messages", () => {
  const other = { payload: "digest-2", messageIds: ["m7", "m8"] };
  const trace = mismatched({ messageCount: 2 });

  test("leaves one trace, without the messages", () => {
    given(keyed)
      .when({ turn: t1(other) })
      .then([trace]);
    given(keyed)
      .when({ turn: t2({ ...other, idempotencyKey: "k" }), idGiven: false })
      .then([trace]);
  });

  test("leaves no second trace, whatever it brings: the log must not grow from outside", () => {
    given(keyed, trace)
      .when({ turn: t1({ ...other, payload: "digest-3" }) })
      .then([]);
    given(keyed, trace, claimed(), completed(), deleted({ tombstone: TOMBSTONE }))
      .when({ turn: t2({ ...other, idempotencyKey: "k" }), idGiven: false })
      .then([]);
  });

  test("leaves a trace again in the stream's next life", () => {
    given(keyed, trace, claimed(), completed(), deleted(), keyed)
      .when({ turn: t1(other) })
      .then([trace]);
  });

  test("binds the key it brings, and leaves its trace", () => {
    given(t1())
      .when({ turn: t1({ ...other, idempotencyKey: "k" }) })
      .then([keyBound(), trace]);
  });

  test("is refused in strict mode, and binds nothing", () => {
    given(keyed)
      .when({ turn: t1(other), strict: true })
      .then("payload-mismatch");
    given(t1())
      .when({ turn: t1({ ...other, idempotencyKey: "k" }), strict: true })
      .then("payload-mismatch");
  });

  test("in strict mode a true retry is as welcome as ever", () => {
    given(keyed).when({ turn: keyed, strict: true }).then([]);
  });
});

describe("FR-15: the key of a deleted submission that is kept", () => {
  const forever = [keyed, claimed(), completed(), deleted({ tombstone: TOMBSTONE })];
  const until = (expiresAt: number) => [
    keyed,
    claimed(),
    completed(),
    deleted({ tombstone: { ...TOMBSTONE, expiresAt } }),
  ];

  test("answers a retry with the same key", () => {
    given(...forever)
      .when({ turn: t2({ idempotencyKey: "k" }), idGiven: false })
      .then([]);
    given(...until(1001))
      .when({ turn: t2({ idempotencyKey: "k" }), idGiven: false })
      .then([]);
  });

  test("answers a retry with the same id and key", () => {
    given(...forever)
      .when({ turn: keyed })
      .then([]);
  });

  test("leaves a trace of a retry with other messages, or refuses it in strict mode", () => {
    const turn = t2({ idempotencyKey: "k", payload: "digest-2" });
    given(...forever)
      .when({ turn, idGiven: false })
      .then([mismatched()]);
    given(...forever)
      .when({ turn, idGiven: false, strict: true })
      .then("payload-mismatch");
  });

  test("is in conflict with another id", () => {
    given(...forever)
      .when({ turn: t2({ idempotencyKey: "k" }) })
      .then("conflict");
  });

  test("is in conflict with another id that is known: it is not bound to a second submission", () => {
    given(...forever, on(T2, t2()))
      .when({ turn: t2({ idempotencyKey: "k" }) })
      .then("conflict");
  });

  test("keeps its id too: a retry by id alone is answered, one under another key is a conflict", () => {
    given(...forever)
      .when({ turn: t1() })
      .then([]);
    given(...forever)
      .when({ turn: t1({ idempotencyKey: "other" }) })
      .then("conflict");
  });

  test("is free again when its time is over, and the next acceptance says so in the same commit", () => {
    given(...until(1000))
      .when({ turn: keyed })
      .then([tombstoneExpired(), keyed]);
    const turn = t2({ idempotencyKey: "k" });
    given(...until(1000))
      .when({ turn, idGiven: false })
      .then([tombstoneExpired(), on(T2, turn)]);
  });

  test("is free again also when only its id is used again", () => {
    given(...until(1000))
      .when({ turn: t1() })
      .then([tombstoneExpired(), t1()]);
  });

  test("is free again when its time is over and a known id brings it", () => {
    given(...until(1000), on(T2, t2()))
      .when({ turn: t2({ idempotencyKey: "k" }) })
      .then([tombstoneExpired(), on(T2, keyBound())]);
  });
});
