import { afterAll, beforeAll, expect, test } from "vitest";
import { useBrowser } from "./support/browser.ts";
import { events, eventTypes, outcome, rowOf, rows, submit, untilEvent, untilState } from "./support/console-page.ts";
import { freePort, type Server, startServer, tempStateDir } from "./support/server.ts";

const open = useBrowser();
let state: Awaited<ReturnType<typeof tempStateDir>>;
let port: number;
let server: Server;

beforeAll(async () => {
  state = await tempStateDir();
  port = await freePort();
  server = await startServer(port, state.path);
});
afterAll(async () => {
  await server.stop();
  await state.remove();
});

test("the page outlives a restart of the server and goes on where it was", async () => {
  const page = await open(server.url);
  await submit(page, "Hello there");
  await untilEvent(page, "TurnCompleted");
  const before = await events(page).count();

  expect(await server.stop()).toBe(0);
  await page.getByText("Reconnecting …").waitFor();
  await submit(page, "Nobody listens");
  await outcome(page).getByText("The server cannot be reached.").waitFor();

  server = await startServer(port, state.path);
  await page.getByText("Live", { exact: true }).waitFor();
  expect(await rows(page).count()).toBe(1);
  expect(await events(page).count()).toBe(before);
  await submit(page, "Hello again");
  await untilState(page, "Hello again", "completed");
});

test("a tool in whose middle the server stops is not run again: the submission ends with the reason", async () => {
  const page = await open(`${server.url}/?agent=slow-tool`);
  await submit(page, "Slow tool");
  await untilEvent(page, "ToolCallStarted");

  await server.stop();
  server = await startServer(port, state.path);
  await untilState(page, "Slow tool", "error");
  await rowOf(page, "Slow tool").getByText("Submission was interrupted after messages were applied.").waitFor();
  await untilEvent(page, "TurnFailed");
  expect((await eventTypes(page)).filter((type) => type === "ToolCallStarted")).toHaveLength(1);
});

test("what waits and what runs when the server stops is settled after it starts", async () => {
  const page = await open(`${server.url}/?agent=interrupted`);
  await submit(page, "Think long");
  await untilState(page, "Think long", "running");
  await submit(page, "Hello there");
  await untilState(page, "Hello there", "pending");

  await server.stop();
  server = await startServer(port, state.path);
  await untilState(page, "Hello there", "completed");
  expect(await rows(page).locator('xpath=self::*[@data-status="running"]').count()).toBe(0);
});
