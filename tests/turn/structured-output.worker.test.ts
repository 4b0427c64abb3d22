import { jsonSchema, Output } from "ai";
import { expect, test } from "vitest";
import {
  finalAnswer,
  outputDigest,
  promptOf,
  promptTurn,
  rawAnswer,
  SCHEMA,
  TOOL,
} from "../support/structured-turn.ts";
import type { TurnAgent } from "../support/turn-agent.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { userMessage } from "../support/test-agent.ts";
import { eventsOf } from "../support/turn-probes.ts";

test.each([
  ["a wrong type", { title: 1 }],
  ["keys that the schema does not have", { title: "Tide", extra: true }],
  ["no key at all", {}],
])("FR-33: an answer with %s is handed on as it is: the workflow checks it", async (_name, input) => {
  await insideTurnAgent({ script: () => finalAnswer(input) }, async (agent) => {
    expect(await promptTurn(agent)).toMatchObject({ status: "completed", output: input });
    expect(agent.model.calls).toHaveLength(1);
  });
});

test("FR-33: arguments that are no JSON end the turn as an error that shows them, and nothing is tried again", async () => {
  await insideTurnAgent({ script: () => rawAnswer("{bad json") }, async (agent) => {
    const { status, error, output } = await promptTurn(agent);
    expect({ status, output }).toEqual({ status: "error", output: undefined });
    expect(error).toContain(`Invalid input for tool ${TOOL}`);
    expect(error).toContain("{bad json");
    expect(agent.model.calls).toHaveLength(1);
  });
});

test("FR-33: arguments that are JSON, but a text, are handed on as that text", async () => {
  await insideTurnAgent({ script: () => rawAnswer('"{bad json"') }, async (agent) => {
    expect(await promptTurn(agent)).toMatchObject({ status: "completed", output: "{bad json" });
  });
});

test("FR-37: an output over the limit is an error that names its size and the limit; an error always fits", async () => {
  await insideTurnAgent({ script: () => finalAnswer({ title: "x".repeat(1_500_000) }) }, async (agent) => {
    const { status, error, submissionId, output } = await promptTurn(agent);
    expect({ status, output }).toEqual({ status: "error", output: undefined });
    expect(error).toBe(
      `The output is too large: the input of the ${TOOL} tool is 1500012 bytes as JSON, and a workflow takes at most 1000000`,
    );
    expect((await eventsOf(agent, submissionId)).slice(-2)).toEqual(["TurnFailed", "NotificationQueued"]);
  });
});

test("FR-37: the limit counts bytes, and an output at the limit passes", async () => {
  const atLimit = { title: "x".repeat(1_000_000 - '{"title":""}'.length) };
  await insideTurnAgent({ script: () => finalAnswer(atLimit) }, async (agent) => {
    expect(await promptTurn(agent)).toMatchObject({ status: "completed", output: atLimit });
  });
  await insideTurnAgent({ script: () => finalAnswer({ title: "ü".repeat(600_000) }) }, async (agent) => {
    expect(await promptTurn(agent)).toMatchObject({ status: "error" });
  });
});

test("FR-37: unreadable arguments of any size, and a reason of any size, end as an error of bounded size", async () => {
  await insideTurnAgent({ script: () => rawAnswer(`{${"x".repeat(1_500_000)}`) }, async (agent) => {
    const { status, error } = await promptTurn(agent);
    expect(status).toBe("error");
    expect(error?.length).toBeLessThan(10_000);
  });
  await insideTurnAgent({ script: () => ({ steps: [new Promise<never>(() => {})] }) }, async (agent) => {
    const { submissionId } = await agent._thinklog_submitPrompt(promptOf());
    await agent.cancelSubmission(submissionId, "why ".repeat(500_000));
    const { status, error } = (await agent.waitForSubmission(submissionId)) ?? {};
    expect(status).toBe("aborted");
    expect(error?.length).toBeLessThan(10_000);
  });
});

test("W-20: the schema of the prompt decides: an output that beforeTurn asks for is that of ordinary turns", async () => {
  const output = Output.object({ schema: jsonSchema({ type: "object" }) });
  await insideTurnAgent(
    { script: () => finalAnswer({ title: "Tide" }), beforeTurn: () => ({ output }) },
    async (agent) => {
      expect(await promptTurn(agent)).toMatchObject({ status: "completed", output: { title: "Tide" } });
      expect(agent.model.doStreamCalls[0]?.responseFormat?.type ?? "text").toBe("text");
      expect(agent.model.doStreamCalls[0]?.tools?.[0]).toMatchObject({ inputSchema: SCHEMA });
    },
  );
});

test("decision 6: a clear of the conversation keeps the output, which the workflow may not have yet", async () => {
  await insideTurnAgent({ script: () => finalAnswer({ title: "Tide" }) }, async (agent) => {
    const { submissionId, digest = "" } = await promptTurn(agent);
    await agent.clearMessages();
    expect(await agent.auditPayload(digest)).toEqual({ title: "Tide" });
    expect(await agent.inspectSubmission(submissionId)).toMatchObject({ status: "completed" });
    expect(await agent.verifyLog()).toMatchObject({ ok: true });
  });
});

test.each([undefined, "forever"] as const)(
  "decision 6: the output goes with the submission, also where its key is kept (%s)",
  async (retention) => {
    const configure = (agent: TurnAgent): void => void (agent.idempotencyRetention = retention);
    await insideTurnAgent({ script: () => finalAnswer({ title: "Tide" }), configure }, async (agent) => {
      const { submissionId, digest = "" } = await promptTurn(agent);
      expect(await agent.deleteSubmission(submissionId)).toBe(true);
      expect(await agent.auditPayload(digest)).toBeNull();
      expect(await agent.verifyLog()).toMatchObject({ ok: true });
    });
  },
);

test("decision 6: a prompt that comes again finds its submission, with the output it had", async () => {
  await insideTurnAgent({ script: () => finalAnswer({ title: "Tide" }) }, async (agent) => {
    const first = await promptTurn(agent);
    const again = await promptTurn(agent);
    expect(again).toMatchObject({ submissionId: first.submissionId, output: { title: "Tide" } });
    expect(agent.model.calls).toHaveLength(1);
  });
});

test.each(["cancelled", "cleared"])(
  "an output that came too late, for a turn that was %s, is not kept",
  async (how) => {
    const reached = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const script = () => finalAnswer({ title: "Tide" });
    const onStepEnd = async (): Promise<void> => {
      reached.resolve();
      await gate.promise;
    };
    await insideTurnAgent({ script, onStepEnd }, async (agent, { storage }) => {
      const { submissionId } = await agent._thinklog_submitPrompt(promptOf());
      await reached.promise;
      const before = storage.sql.exec("SELECT count(*) AS n FROM thinklog_payloads").one();
      if (how === "cancelled") await agent.cancelSubmission(submissionId, "late");
      else await agent.clearMessages();
      gate.resolve();
      // The next turn begins only after the attempt has wound down.
      await agent.saveMessages(() => [userMessage("next")]);
      expect(await agent.inspectSubmission(submissionId)).toMatchObject({ status: "aborted" });
      expect(await outputDigest(agent, submissionId)).toBeUndefined();
      expect(storage.sql.exec("SELECT count(*) AS n FROM thinklog_payloads").one()).toEqual(before);
    });
  },
);
