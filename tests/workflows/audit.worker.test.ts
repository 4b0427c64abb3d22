import { expect, test } from "vitest";
import { heardBy } from "../support/workflow-agent.ts";
import { freshWorkflowAgent, inside } from "../support/workflow-agents.ts";

test("FR-39: the audit query shows a workflow's step, submission and failure", async () => {
  const { agent, name } = await freshWorkflowAgent();
  const [id, other] = await inside(agent, async (instance) => [
    await instance.runWorkflow("TEST_RUNS", { does: "prompt" }),
    await instance.runWorkflow("TEST_RUNS", { does: "complete" }),
  ]);
  await expect.poll(() => heardBy(name)).toHaveLength(2);
  const { events } = await agent.auditLog({ workflowId: id });
  const [, , submitted] = events;
  expect(events.filter(({ type }) => type !== "NotificationQueued").map(({ type }) => type)).toEqual([
    "WorkflowRequested",
    "WorkflowStarted",
    "TurnSubmitted",
    "WorkflowReported",
  ]);
  expect(submitted?.data).toMatchObject({
    turnId: expect.any(String),
    origin: { kind: "workflow", workflowName: "TEST_RUNS", workflowId: id, stepName: "ask" },
  });
  const reports = await agent.auditLog({ types: ["WorkflowReported"] });
  expect(reports.events.map(({ actor, data }) => ({ actor, data }))).toEqual(
    expect.arrayContaining([
      {
        actor: `workflow:${id}`,
        data: {
          workflowName: "TEST_RUNS",
          workflowId: id,
          kind: "error",
          error: "the workflow failed after the prompt",
        },
      },
      { actor: `workflow:${other}`, data: { workflowName: "TEST_RUNS", workflowId: other, kind: "complete" } },
    ]),
  );
});

test("FR-39: a workflow that waits has started, and has not told of an end", async () => {
  const { agent } = await freshWorkflowAgent();
  const id = await inside(agent, (instance) => instance.runWorkflow("TEST_RUNS", { does: "approve" }));
  const { events } = await agent.auditLog({ workflowId: id ?? "" });
  expect(events.map(({ type }) => type)).toEqual(["WorkflowRequested", "WorkflowStarted"]);
});

test("a page of a workflow's events is bounded, and goes on with its cursor", async () => {
  const { agent } = await freshWorkflowAgent();
  const id = await inside(agent, (instance) => instance.runWorkflow("TEST_RUNS", { does: "approve" }));
  const first = await agent.auditLog({ workflowId: id, limit: 1, order: "desc" });
  expect(first.events.map(({ type }) => type)).toEqual(["WorkflowStarted"]);
  const next = await agent.auditLog({ workflowId: id, limit: 1, order: "desc", cursor: first.cursor });
  expect(next.events.map(({ type }) => type)).toEqual(["WorkflowRequested"]);
  const blank = inside(agent, (instance) => instance.auditLog({ workflowId: " " }));
  await expect(blank).rejects.toThrow("workflowId must not be blank");
});
