import { describe, expect, test } from "vitest";
import { catalogue, isKnownType, upcast, upcasters } from "../../src/events/index.ts";

const table = {
  TurnClaimed: {
    1: (data: unknown) => ({ ...(data as object), epoch: 1 }),
    2: (data: unknown) => {
      const { tries, ...rest } = data as { tries: number };
      return { ...rest, attempt: tries };
    },
  },
};

describe("FR-49: old facts are lifted when they are read", () => {
  test("step by step to the newest version", () => {
    expect(upcast("TurnClaimed", 1, { tries: 4 }, table)).toEqual({ data: { attempt: 4, epoch: 1 }, schemaVersion: 3 });
  });

  test("from where they are", () => {
    const lifted = upcast("TurnClaimed", 2, { tries: 4, epoch: 2 }, table);
    expect(lifted).toEqual({ data: { attempt: 4, epoch: 2 }, schemaVersion: 3 });
  });

  test("not at all when they are of the newest version", () => {
    const data = { attempt: 4, epoch: 2 };
    const lifted = upcast("TurnClaimed", 3, data, table);
    expect(lifted).toEqual({ data, schemaVersion: 3 });
    expect(lifted.data).toBe(data);
  });

  test("a type without upcasters is left as it is", () => {
    expect(upcast("TurnFailed", 1, { error: "x" }, table)).toEqual({ data: { error: "x" }, schemaVersion: 1 });
  });

  test("the stored facts are not changed", () => {
    const data = Object.freeze({ tries: 4 });
    upcast("TurnClaimed", 1, data, table);
    expect(data).toEqual({ tries: 4 });
  });
});

test("every version of every event has the way to the newest: no gap, and none beyond it", () => {
  const reached = Object.keys(catalogue)
    .filter(isKnownType)
    .map((type) => [type, Object.keys(upcasters[type] ?? {}).map(Number)] as const);
  for (const [type, versions] of reached) {
    const expected = Array.from({ length: catalogue[type].version - 1 }, (_, index) => index + 1);
    expect({ type, versions }).toEqual({ type, versions: expected });
  }
});
