import { tracing } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { freshAgent } from "../support/agents.ts";
import { insideTurnAgent } from "../support/turn-agents.ts";
import { userMessage } from "../support/test-agent.ts";

type Exported = { name: string; attributes: Record<string, unknown> };

/** What a tracing backend would be sent: every span that is entered while `run` runs. */
async function exportedSpans(run: () => Promise<void>): Promise<Exported[]> {
  const spans: Exported[] = [];
  const enter = tracing.enterSpan.bind(tracing);
  const spy = vi.spyOn(tracing, "enterSpan").mockImplementation(((name: string, callback: (span: object) => unknown) =>
    enter(name, (span) => {
      const exported: Exported = { name, attributes: {} };
      spans.push(exported);
      const setAttributes = (attributes: Record<string, unknown>) => {
        Object.assign(exported.attributes, attributes);
        span.setAttributes(attributes as Record<string, string>);
      };
      return callback(
        new Proxy(span, { get: (of, key) => (key === "setAttributes" ? setAttributes : Reflect.get(of, key)) }),
      );
    })) as never);
  try {
    await run();
  } finally {
    spy.mockRestore();
  }
  return spans;
}

test("O-4: a turn is a span with its id, trigger and outcome, around those that prepare and store it", async () => {
  const spans = await exportedSpans(() =>
    insideTurnAgent({}, async (agent) => {
      await agent.saveMessages([userMessage("Hi")]);
    }),
  );
  const names = spans.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["chat_turn", "prepare_agent", "persist_chat_result"]));
  expect(spans.find(({ name }) => name === "chat_turn")?.attributes).toMatchObject({
    "cloudflare.agents.turn.request_id": expect.any(String),
    "cloudflare.agents.turn.trigger": "programmatic",
    "cloudflare.agents.turn.admission": "queue",
    "cloudflare.agents.turn.continuation": false,
    "cloudflare.agents.turn.generation": 0,
    "cloudflare.agents.turn.status": "completed",
  });
});

test("O-4: the start of an object, the acceptance of a submission and its run have spans of their own", async () => {
  const spans = await exportedSpans(async () => {
    const { agent } = await freshAgent();
    await agent.submitMessages([userMessage("Hi")], { submissionId: "s1" });
    await agent.waitForSubmission("s1");
  });
  expect(spans.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "think_start",
      "hydrate_think_session",
      "recover_think_durable_work",
      "chat_submission",
      "accept_chat_submission",
      "execute_chat_submission",
      "chat_turn",
    ]),
  );
});
