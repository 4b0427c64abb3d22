import { Agent } from "agents";
import { expect, test } from "vitest";
import { agentWorkflows } from "../../src/think/agent-workflows.ts";
import { freshWorkflowAgent, inside, runs } from "../support/workflow-agents.ts";

/** What we rely on beyond the documented API of `agents`: its tracking table, and the way its workflows call in. */

test("the row that adopts an instance is the one that Agent itself writes", async () => {
  const { agent } = await freshWorkflowAgent();
  const [theirs, ours] = [crypto.randomUUID(), crypto.randomUUID()];
  const metadata = { for: "tests" };
  await runs.create({ id: ours });
  await inside(agent, async (instance) => {
    await Agent.prototype.runWorkflow.call(
      instance as unknown as Agent,
      "TEST_RUNS" as never,
      {},
      { id: theirs, metadata },
    );
    const env = (instance as unknown as { env: object }).env;
    const run = { workflowName: "TEST_RUNS", workflowId: ours, params: {}, metadata };
    agentWorkflows(instance, env).track({ ...run, agentBinding: undefined, retention: undefined });
  });
  const rows = await inside(agent, (_, { storage }) => storage.sql.exec("SELECT * FROM cf_agents_workflows").toArray());
  const row = (workflowId: string) => rows.find((one) => one["workflow_id"] === workflowId);
  const time = expect.any(Number);
  const own = { id: expect.stringMatching(/^[A-Za-z0-9_-]{21}$/), created_at: time, updated_at: time };
  expect(row(ours)).toEqual({ ...row(theirs), ...own, workflow_id: ours, status: "queued", completed_at: null });
  expect(row(theirs)).toMatchObject(own);
  expect(Object.keys(row(ours) ?? {})).toEqual(Object.keys(row(theirs) ?? {}));

  const listed = await inside(agent, (instance) => instance.getWorkflows({ metadata }).workflows);
  expect(listed.map(({ workflowId }) => workflowId).toSorted()).toEqual([ours, theirs].toSorted());
  await inside(agent, (instance) => instance.approveWorkflow(ours));
});

test("a workflow calls in through a member that we extend", () => {
  expect(Object.getOwnPropertyNames(Agent.prototype)).toContain("_workflow_handleCallback");
});
