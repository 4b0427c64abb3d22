import { expect, test } from "vitest";
import { freshAgent, inside } from "../support/agents.ts";
import { eventTypes, modelCalled } from "../support/observe.ts";
import { sql } from "../support/raw-log.ts";
import { heldReply } from "../support/scripts.ts";
import { setUp } from "../support/test-agent.ts";
import { sentBy, sentTimes } from "../support/workflow-sender.ts";
import { ask } from "./prompts.ts";

test("FR-26: when the outbox cannot be written, the turn has not ended either; then both are there, and one event goes out", async () => {
  const { name, agent } = await freshAgent("outbox");
  const held = heldReply();
  setUp(name, held);
  const id = await ask(agent, "w1");
  await modelCalled(name, 1);
  await sql(
    agent,
    `CREATE TRIGGER test_trap BEFORE INSERT ON thinklog_outbox BEGIN SELECT RAISE(ABORT, 'the projector failed'); END`,
  );
  const cancelled = inside(agent, (instance) => instance.cancelSubmission(id, "stop"));
  await expect(cancelled).rejects.toThrow(/projector failed|Failed query/);
  expect(await eventTypes(agent, id)).not.toContain("TurnAborted");
  expect(sentBy(name)).toEqual([]);

  await sql(agent, "DROP TRIGGER test_trap");
  await agent.cancelSubmission(id, "stop");
  held.open();
  await sentTimes(name, 1);
  expect(sentBy(name).map(({ event }) => event.payload)).toEqual([
    { submissionId: id, status: "aborted", error: "stop" },
  ]);
});
