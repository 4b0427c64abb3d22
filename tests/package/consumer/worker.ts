// What a user of the published package writes: one agent, three lines, and a door to it.
import { getAgentByName } from "agents";
import { simulateReadableStream } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { Think } from "thinklog";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

const model = new MockLanguageModelV4({
  doStream: async () => ({
    stream: simulateReadableStream({
      chunks: [
        { type: "stream-start", warnings: [] },
        { type: "text-start", id: "1" },
        { type: "text-delta", id: "1", delta: "Hello from " },
        { type: "text-delta", id: "1", delta: "the tarball." },
        { type: "text-end", id: "1" },
        { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage },
      ],
    }),
  }),
});

export class Hello extends Think<Env> {
  getModel() {
    return model;
  }
}

/** Fields named like our insides must not meet them. */
export class Crowded extends Hello {
  engine = "mine";
  log = ["mine"];
  ledger = "mine";
  lane = 7;
  outbox = "mine";
  turns = new Set(["mine"]);
  clock = () => "mine";
  session2 = null;
  queue2 = null;
}

interface Env {
  Hello: DurableObjectNamespace<Hello>;
  Crowded: DurableObjectNamespace<Crowded>;
}

/** `POST /Hello/submissions` with the text, `GET /Hello/submissions/:id`, `GET /Hello/messages`. */
async function fetchHandler(request: Request, env: Env): Promise<Response> {
  const [, name, resource, id] = new URL(request.url).pathname.split("/");
  const agent = await getAgentByName(name === "Crowded" ? env.Crowded : env.Hello, "one");
  if (resource === "messages") return Response.json(await agent.getMessages());
  if (id) return Response.json(await agent.inspectSubmission(id));
  const parts = [{ type: "text" as const, text: await request.text() }];
  return Response.json(await agent.submitMessages([{ id: "first", role: "user", parts }]));
}

export default { fetch: fetchHandler };
