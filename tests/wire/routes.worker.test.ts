import { expect, test } from "vitest";
import { userMessage } from "../support/test-agent.ts";
import { stored, wire } from "./support/wire.ts";

test("P59: get-messages gives the conversation as JSON", async () => {
  const { agent, connect, fetch } = await wire();
  const tab = await connect();
  await tab.ended(tab.request([userMessage("Hi", "u1")]));
  const response = await fetch("get-messages");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toContain("application/json");
  expect(await response.json()).toEqual(await stored(agent));
});

test("P59: it is there for an empty conversation, under any path before it, and for any method", async () => {
  const { fetch } = await wire();
  expect(await (await fetch("get-messages")).json()).toEqual([]);
  expect(await (await fetch("agents/wire-agent/somebody/get-messages?x=1")).json()).toEqual([]);
  expect(await (await fetch("get-messages", { method: "POST", body: "{}" })).json()).toEqual([]);
});

test("P60, P11: every other path is the subclass's", async () => {
  const { fetch } = await wire({ onRequest: (request) => new Response(`mine: ${new URL(request.url).pathname}`) });
  expect(await (await fetch("hello")).text()).toBe("mine: /hello");
  expect(await (await fetch("get-messages/more")).text()).toBe("mine: /get-messages/more");
  expect(await (await fetch("forget-messages")).text()).toBe("mine: /forget-messages");
});
