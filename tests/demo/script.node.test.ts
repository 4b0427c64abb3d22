import { expect, test } from "vitest";
import { writeScript } from "../../demo/models/scripted/script.ts";

const beats = (prompt: string, tools: string[]) =>
  writeScript({ prompt, toolResults: [], tools: new Map(tools.map((name) => [name, {}])) });

test("a time zone is asked of the browser, when it offers that", () => {
  expect(beats("What is my time zone?", ["getTimeZone"])).toEqual([{ kind: "call", tool: "getTimeZone", input: {} }]);
  expect(beats("What is my time zone?", [])).toMatchObject([{ kind: "say" }]);
});

test.each([
  ["Send a postcard to Ada", "Ada"],
  ["A postcard, please", "Grandmother"],
])("%s goes to %s", (prompt, to) => {
  expect(beats(prompt, ["sendPostcard"])).toMatchObject([{ kind: "call", tool: "sendPostcard", input: { to } }]);
});

test("a long answer takes several seconds to say", () => {
  const [said] = beats("A long answer", []);
  expect(said?.kind === "say" && said.text.split(" ").length).toBeGreaterThan(100);
});
