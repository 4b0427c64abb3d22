import { env } from "cloudflare:workers";
import { getAgentByName } from "agents";
import { expect, test } from "vitest";
import type { AgentClient } from "../support/agents.ts";
import { commitsOf, type Kill, killAt, wasKilled } from "../support/killing-agent.ts";
import { BINDING, instanceOf } from "../support/prompt-runs.ts";
import { finalAnswer } from "../support/structured-turn.ts";
import { modelCallsOf, setUp } from "../support/test-agent.ts";

type Client = AgentClient & { runWorkflow(name: string, params: object, options: object): Promise<string> };

const namespace = (env as unknown as { KillingAgent: DurableObjectNamespace }).KillingAgent;
const agentNamed = async (name: string): Promise<Client> =>
  (await getAgentByName(namespace as never, name)) as unknown as Client;

/** The commits of one prompt: the run's request and its start, the prompt's acceptance, claim, end and delivery. */
const COMMITS = [1, 2, 3, 4, 5, 6];
const KILLS: Kill[] = COMMITS.flatMap((commit) => [
  { commit, durable: true },
  { commit, durable: false },
]);

test("a prompt ends with the right output or a typed error, whichever commit the object is killed after", async () => {
  const ends = await Promise.all(KILLS.map((kill) => survive(kill)));
  for (const { kill, result, answers, killed } of ends) {
    const told = `killed after commit ${kill.commit}, ${kill.durable ? "durable" : "not durable"}`;
    expect(result, told).toMatchObject([{ output: { title: expect.stringMatching(/^answer \d$/) } }]);
    // The model may be asked again for an answer that was lost with the object; one answer is on record.
    expect(answers, told).toBe(1);
    expect({ told, killed }).toEqual({ told, killed: true });
  }
}, 120_000);

test("the kills above are after each commit that there is", async () => {
  const name = `chaos-${crypto.randomUUID()}`;
  const { result } = await survive({ commit: 1_000, durable: true }, name);
  expect(result).toMatchObject([{ output: { title: "answer 1" } }]);
  await expect.poll(() => commitsOf(name)).toBe(COMMITS.length);
}, 60_000);

/** One prompt in a workflow whose agent is killed once on the way. */
async function survive(kill: Kill, name = `chaos-${crypto.randomUUID()}`) {
  setUp(name, { script: () => finalAnswer({ title: `answer ${modelCallsOf(name)}` }) });
  killAt(name, kill);
  const id = `run-${crypto.randomUUID()}`;
  const agent = await agentNamed(name);
  const params = { prompts: [{ step: "sum" }] };
  await agent
    .runWorkflow(BINDING, params, { id, agentBinding: "KillingAgent" })
    .catch(() => startedAnyhow(name, id, params));
  const result = await ended(name, id);
  const client = await agentNamed(name);
  const { events } = await client.auditLog({ types: ["TurnCompleted"] });
  return { kill, result, answers: events.length, killed: wasKilled(name) };
}

/** The caller's call was lost with the object: a caller who hears nothing looks, and tries again. */
async function startedAnyhow(name: string, id: string, params: object): Promise<void> {
  await (
    await agentNamed(name)
  )
    .runWorkflow(BINDING, params, { id, agentBinding: "KillingAgent" })
    .catch(() => undefined);
}

/** Callers come by now and then, as they do; whatever is left to do is done at a wake. */
async function ended(name: string, id: string): Promise<unknown> {
  for (;;) {
    await agentNamed(name)
      .then((agent) => agent.listSubmissions())
      .catch(() => undefined);
    const status = await instanceOf(id).then((instance) => instance.status());
    if (status.status === "complete") return status.output;
    if (status.status === "errored" || status.status === "terminated") return status;
    await scheduler.wait(100);
  }
}
