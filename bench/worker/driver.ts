/**
 * The Worker in front of the objects: `POST /<object>/<call>` with JSON arguments makes one RPC call and
 * answers `{ value }` or `{ error }`. A WebSocket to `/<object>/chat` is a chat client's.
 */
import { getAgentByName } from "agents";

interface Env {
  AGENT: DurableObjectNamespace;
  METER_CHECK: DurableObjectNamespace;
}

type Calls = Record<string, (args: unknown) => Promise<unknown>>;

const handler: ExportedHandler<Env> = {
  async fetch(request, env) {
    const [, object = "", call = ""] = new URL(request.url).pathname.split("/");
    if (request.headers.get("upgrade") === "websocket") {
      return (await getAgentByName(env.AGENT as never, object)).fetch(request);
    }
    try {
      const args: unknown = await request.json();
      if (call === "open") {
        await getAgentByName(env.AGENT as never, object);
        return Response.json({ value: null });
      }
      const namespace = call === "check" ? env.METER_CHECK : env.AGENT;
      const stub = namespace.getByName(object) as unknown as Calls;
      const value = await stub[call]?.(args);
      return Response.json({ value: value ?? null });
    } catch (error) {
      return Response.json(
        { error: error instanceof Error ? (error.stack ?? error.message) : String(error) },
        { status: 500 },
      );
    }
  },
};

export default handler;
