import { runDurableObjectAlarm } from "cloudflare:test";
import { expect, test } from "vitest";
import { text } from "../../src/testing/index.ts";
import { replies } from "../support/scripts.ts";
import { userMessage } from "../support/test-agent.ts";
import { callTools } from "../support/turn-probes.ts";
import { browse, called, callOf, resultOf } from "./support/browser-tool.ts";
import { callsIn, isEndOfContinuation } from "./support/calls.ts";
import { stored, wire } from "./support/wire.ts";

const LATE = "Nobody answered within 0.05 seconds.";
const alarm = (state: DurableObjectState) => state.storage.getAlarm();

test("decision 17: a call that nobody answers in time ends as an error, on record, and every tab sees it", async () => {
  const { agent, tab, other, id } = await called(() => callOf("c1"), { interactionTimeoutMs: 50 });
  for (const each of [tab, other]) {
    const { message } = await each.waitForType("cf_agent_message_updated");
    expect(callsIn(message ? [message] : [])).toMatchObject({ c1: { state: "output-error", errorText: LATE } });
  }
  expect(callsIn(await stored(agent))).toMatchObject({ c1: { state: "output-error" } });
  const { events } = await agent.auditLog({ submissionId: id, types: ["InteractionExpired"] });
  expect(events).toMatchObject([{ data: { toolCallId: "c1", toolName: "browse", reason: LATE } }]);
});

test("W11: a batch whose missing call expires goes on with what the others gave", async () => {
  const script = replies(callTools(callOf("c1"), callOf("c2")), text("with one page"));
  const { tab } = await called(script, { interactionTimeoutMs: 400 });
  tab.toolResult({ ...resultOf("c1"), autoContinue: true });
  await tab.waitFor(isEndOfContinuation);
  expect(tab.transcript.at(-1)).toContain("with one page");
});

test("an answer in time takes the alarm down again; without a limit there is none", async () => {
  const limited = await called(() => callOf("c1"), { interactionTimeoutMs: 60_000 });
  await expect.poll(() => limited.inside((_, state) => alarm(state))).toBeGreaterThan(0);
  limited.tab.toolResult(resultOf("c1"));
  // The lane's own alarm goes a second after its last turn.
  await expect.poll(() => limited.inside((_, state) => alarm(state)), { timeout: 3_000 }).toBeNull();
  const unlimited = await called(() => callOf("c1"));
  await expect.poll(() => unlimited.inside((_, state) => alarm(state)), { timeout: 3_000 }).toBeNull();
});

test("a waiting call survives a restart, and so does its end", async () => {
  const { agent, connect, name, restart } = await wire({ script: () => callOf("c1"), interactionTimeoutMs: 200 });
  const tab = await connect();
  await tab.ended(tab.request([userMessage("go")], { clientTools: [browse] }));
  await restart();
  const { env } = await import("cloudflare:workers");
  const namespace = (env as unknown as { WireAgent: DurableObjectNamespace }).WireAgent;
  await scheduler.wait(250);
  await runDurableObjectAlarm(namespace.get(namespace.idFromName(name)));
  await expect.poll(async () => callsIn(await stored(agent))).toMatchObject({ c1: { state: "output-error" } });
});
