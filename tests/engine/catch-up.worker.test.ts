import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getAgentByName } from "agents";
import { afterEach, expect, test, vi } from "vitest";
import { breakStorage } from "../support/outage.ts";
import { userMessage } from "../support/test-agent.ts";
import { setUpTurns, type TurnAgent } from "../support/turn-agent.ts";

const namespace = (env as unknown as { TurnAgent: DurableObjectNamespace<TurnAgent> }).TurnAgent;
const named = async (name: string): Promise<DurableObjectStub<TurnAgent>> =>
  (await getAgentByName(namespace as never, name)) as unknown as DurableObjectStub<TurnAgent>;

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test("FR-11 FR-21: a storage that fails while a late response is told does not stop the lane for good", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const name = `catch-up-${crypto.randomUUID()}`;
  const told: string[] = [];
  let life = 1;
  setUpTurns(name, {
    onChatResponse: async ({ requestId }) => {
      if (life === 1) await new Promise(() => {});
      told.push(requestId);
    },
  });
  const first = await named(name);
  await first.submitMessages([userMessage("Hi")], { submissionId: "s1" });
  await first.waitForSubmission("s1");
  life = 2;
  await runInDurableObject(first, (_, state) => state.abort("crashed by the test")).catch(() => {});

  const agent = await named(name);
  const failure = (): Error => new Error("Network connection lost.");
  const broken = await runInDurableObject(agent, (_, { storage }) =>
    breakStorage(storage, failure, (statement) => statement.includes("cf_agents_session_messages")),
  );
  await vi.waitFor(() => expect(broken.failures()).toBeGreaterThanOrEqual(1));
  broken.heal();
  await agent.submitMessages([userMessage("next")], { submissionId: "s2" });
  vi.useFakeTimers({ toFake: ["Date"] });
  await vi.waitFor(async () => {
    vi.setSystemTime(Date.now() + 31_000);
    await runInDurableObject(agent, (instance) => instance.alarm());
    expect((await agent.inspectSubmission("s2"))?.status).toBe("completed");
  });
  expect(told).toEqual(["s1", "s2"]);
});
