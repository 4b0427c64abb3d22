export { TestAgent } from "./test-agent.ts";

export default { fetch: () => new Response("thinklog tests") };
