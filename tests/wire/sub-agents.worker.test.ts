import { expect, test } from "vitest";
import { heldReply } from "../support/scripts.ts";
import { userMessage } from "../support/test-agent.ts";
import { wire } from "./support/wire.ts";

test("T159, T160, P11: a socket of a sub-agent hears nothing of its parent's chat, nor the parent of its frames", async () => {
  const held = heldReply();
  const { connect } = await wire({ script: held.script });
  const tab = await connect();
  const id = tab.request([userMessage("Hi")]);
  await tab.said(id, "before");

  const child = await connect("sub/wire-agent/child");
  expect(await child.waitForType("cf_agent_identity")).toMatchObject({ name: "child" });
  expect(await child.resume()).toMatchObject({ type: "cf_agent_stream_resume_none" });
  child.cancel(id);
  await child.caughtUp();
  expect(child.ofType("cf_agent_stream_resuming")).toEqual([]);
  held.open();
  expect(await tab.ended(id)).toMatchObject({ outcome: "completed" });
  expect(child.framesOf(id)).toEqual([]);

  const own = child.request([userMessage("Hi, child")]);
  expect(await child.ended(own)).toMatchObject({ outcome: "completed" });
  expect(child.transcript).toEqual(["user: Hi, child", "assistant: Hello there"]);
  await tab.caughtUp();
  expect(tab.framesOf(own)).toEqual([]);
});
