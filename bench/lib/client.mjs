/**
 * Calls one object through the bench Worker, over one kept connection. Time is taken here: the clock inside
 * workerd has whole milliseconds only. What HTTP adds is the same for every call, so compare with an empty one.
 */
import { Agent, request } from "node:http";
import { connectChat } from "./chat-client.mjs";

/** Longer than anything a scenario asks for in one call. */
const TIMEOUT_MS = 120_000;

const agent = new Agent({ keepAlive: true, noDelay: true });

/** The object `name` of the variant at `url`. `call` answers the value, `time` the milliseconds. */
export function objectOf(url, name) {
  const call = async (method, args = {}) => {
    const { value, error } = JSON.parse(await post(`${url}/${name}/${method}`, JSON.stringify(args)));
    if (error !== undefined) throw new Error(`${method} on ${name}: ${error}`);
    return value;
  };
  return {
    call,
    connect: () => connectChat(`${url.replace("http:", "ws:")}/${name}/chat`),
    async time(method, args) {
      const started = performance.now();
      await call(method, args);
      return performance.now() - started;
    },
  };
}

function post(url, body) {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: "POST", agent, headers: { "content-length": Buffer.byteLength(body) } },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => (text += chunk));
        response.on("end", () => resolve(text));
        response.on("error", reject);
      },
    );
    sent.setTimeout(TIMEOUT_MS, () =>
      sent.destroy(new Error(`No answer within ${TIMEOUT_MS / 1000} s: ${new URL(url).pathname}`)),
    );
    sent.on("error", reject);
    sent.end(body);
  });
}
