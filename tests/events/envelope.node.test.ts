import { expect, test } from "vitest";
import { LANE_STREAM, PROJECTION_STREAM, subjectOf, turnStream } from "../../src/events/index.ts";

test("an id that a caller chooses never names another kind of stream", () => {
  for (const id of [LANE_STREAM, PROJECTION_STREAM, "turn/t1", ""]) {
    expect([LANE_STREAM, PROJECTION_STREAM]).not.toContain(turnStream(id));
  }
  expect(turnStream("turn/t1")).not.toBe(turnStream("t1"));
});

test("the subject of a turn's stream is its id, whatever is in it; of another stream, its name", () => {
  for (const id of ["t1", "turn/t1", "a/b", "lane", ""]) expect(subjectOf(turnStream(id))).toBe(id);
  expect(subjectOf(LANE_STREAM)).toBe("lane");
});
