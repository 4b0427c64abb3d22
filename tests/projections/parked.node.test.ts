import { test } from "vitest";
import { parkedReducer } from "../../src/projections/parked/reducer.ts";
import { specifyReducer } from "../../src/testing/specify-reducer.ts";
import { completed, deleted, delivered, deliveryFailed, parked, queued, submitted, T1 } from "../support/facts.ts";

const { given } = specifyReducer({ reducer: parkedReducer, stream: T1 });
const givenUp = [submitted(), completed(), queued(), parked()];

test("a notification that was given up is kept with its reason", () => {
  given(submitted(), completed(), queued()).when(parked()).then(parked().data);
});

test("queued again, it is not given up any more", () => {
  given(...givenUp)
    .when(queued())
    .then(null);
});

test("it goes with its submission", () => {
  given(...givenUp)
    .when(deleted())
    .then(null);
});

test.each([delivered(), deliveryFailed(), completed()])("$type does not concern it", (event) => {
  given(...givenUp)
    .when(event)
    .then(undefined);
});
