import { test } from "vitest";
import { answerTool, expireInteraction } from "../../src/commands/index.ts";
import { specifyDecider } from "../../src/testing/specify-decider.ts";
import { completed, interactionExpired, submitted, T1, toolAnswered } from "../support/facts.ts";

const state = (log: Parameters<Parameters<typeof specifyDecider>[0]["state"]>[0]) => log.turn(T1);
const answers = specifyDecider({ decide: answerTool, state, stream: T1 });
const expiries = specifyDecider({ decide: expireInteraction, state, stream: T1 });
const ended = [submitted(), completed()];

test("an answer is on record with the turn whose call it answers, also when that has ended", () => {
  const { data } = toolAnswered();
  answers
    .given(...ended)
    .when(data)
    .then([toolAnswered()]);
});

test("decision 17: a call that nobody answered ends on record, with the reason", () => {
  const { data } = interactionExpired();
  expiries
    .given(...ended)
    .when(data)
    .then([interactionExpired()]);
});
