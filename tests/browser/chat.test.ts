import type { Page, WebSocketRoute } from "playwright-core";
import { expect, inject, test } from "vitest";
import { LONG_ANSWER } from "../../demo/models/scripted/long-answer.ts";
import { useBrowser } from "./support/browser.ts";
import { answers, expectStored, press, say, transcript, untilReady, untilSaid } from "./support/chat-page.ts";
import { scrollsSideways, untilEvent } from "./support/console-page.ts";
import { freePort, startServer, tempStateDir } from "./support/server.ts";

const open = useBrowser();
const url = inject("url");
const chatOf = (agent: string, server = url) => `${server}/?agent=${agent}&page=chat`;
const UNDER_WAY = "Line 3 of 24";

/** Two pages of one conversation, both with their line up. */
async function openTwo(agent: string): Promise<[Page, Page]> {
  const pages: [Page, Page] = [await open(chatOf(agent)), await open(chatOf(agent))];
  for (const page of pages) await page.getByText("Connected", { exact: true }).waitFor();
  return pages;
}

async function beginLongAnswer(page: Page): Promise<void> {
  await say(page, "A long answer");
  await untilSaid(page, UNDER_WAY);
}

/** The long answer is there once and whole, in this page and in storage. */
async function expectWhole(page: Page): Promise<void> {
  await untilSaid(page, "That was all.");
  await untilReady(page);
  expect(await transcript(page)).toEqual(["A long answer", LONG_ANSWER]);
  await expectStored(page);
}

test("a first message is answered, and both are there after a reload", async () => {
  const page = await open(chatOf("chat-first"));
  await say(page, "What is the weather in Lisbon?");
  await untilSaid(page, "According to the weather tool: Lisbon has");
  await untilReady(page);
  await expectStored(page);
});

test("the newest turn's events are shown beside the chat", async () => {
  const page = await open(chatOf("chat-timeline"));
  await say(page, "Hello there");
  await untilEvent(page, "TurnCompleted");
});

test("a page that is reloaded while an answer streams gets it whole, and once", async () => {
  const page = await open(chatOf("chat-reload"));
  await beginLongAnswer(page);
  await page.reload();
  await expectWhole(page);
});

test("a page whose line is cut while an answer streams gets it whole, and once", async () => {
  const page = await open(chatOf("chat-cut"));
  const lines: WebSocketRoute[] = [];
  await page.routeWebSocket(/\/agents\//, (line) => {
    line.connectToServer();
    lines.push(line);
  });
  await page.reload();
  await page.getByText("Connected", { exact: true }).waitFor();
  await beginLongAnswer(page);
  const before = lines.length;
  await lines.at(-1)?.close({ code: 3001, reason: "cut" });
  await expect.poll(() => lines.length, { timeout: 15_000 }).toBeGreaterThan(before);
  await untilSaid(page, "That was all.");
  expect(await page.getByText("WebSocket closed").count()).toBe(0);
  await expectWhole(page);
});

test("a second page follows an answer as it streams, and ends with the same", async () => {
  const [first, second] = await openTwo("chat-two");
  await beginLongAnswer(first);
  await untilSaid(second, UNDER_WAY);
  expect((await transcript(second)).at(-1)).not.toContain("That was all.");
  await Promise.all([expectWhole(first), expectWhole(second)]);
});

test("a stopped answer keeps what was said, and the next message is answered", async () => {
  const page = await open(chatOf("chat-stop"));
  await beginLongAnswer(page);
  await press(page, "Stop");
  await untilReady(page);
  expect((await transcript(page)).at(-1)).not.toContain("That was all.");
  await say(page, "12 * 7 - 3");
  await untilSaid(page, "= 81.");
  await untilReady(page);
  expect((await transcript(page))[1]).toContain(UNDER_WAY);
});

test("a page that only follows can stop the answer too", async () => {
  const [first, second] = await openTwo("chat-stop-other");
  await beginLongAnswer(first);
  await untilSaid(second, UNDER_WAY);
  await press(second, "Stop");
  for (const page of [first, second]) {
    await untilReady(page);
    expect((await transcript(page)).at(-1)).not.toContain("That was all.");
  }
  const same = async () => (await transcript(first)).join("\n") === (await transcript(second)).join("\n");
  await expect.poll(same).toBe(true);
});

test("an answer that is made again keeps the ones before, to look at", async () => {
  const page = await open(chatOf("chat-branches"));
  await say(page, "12 * 7 - 3");
  for (const count of [2, 3]) {
    await untilSaid(page, "= 81.");
    await untilReady(page);
    await press(page, "Regenerate");
    await page.getByText(`${count}/${count}`, { exact: true }).waitFor();
  }
  expect(await answers(page).count()).toBe(1);
  const newest = await answers(page).getAttribute("data-message");
  await press(page, "Answer before");
  await page.getByText("2/3", { exact: true }).waitFor();
  expect(await answers(page).getAttribute("data-message")).not.toBe(newest);
  await answers(page).getByText("another answer").waitFor();
  await page.reload();
  await page.getByText("3/3", { exact: true }).waitFor();
  expect(await answers(page).getAttribute("data-message")).toBe(newest);
});

test("a tool of the browser is answered by the browser, and the answer goes on", async () => {
  const page = await open(chatOf("chat-zone"));
  const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  await say(page, "What is my time zone?");
  await untilSaid(page, `According to the getTimeZone tool: This browser is in the time zone ${zone}.`);
  await untilReady(page);
  await expectStored(page);
});

for (const [decision, words] of [
  ["Approve", /sendPostcard tool: The postcard to Ada is on its way/],
  ["Reject", /sendPostcard tool: .*denied/],
] as const) {
  test(`a tool that needs approval waits for a person, also after a reload; after ${decision} the answer goes on`, async () => {
    const page = await open(chatOf(`chat-${decision.toLowerCase()}`));
    await say(page, "Send a postcard to Ada");
    await page.getByRole("button", { name: decision, exact: true }).waitFor();
    await page.reload();
    await press(page, decision);
    await untilSaid(page, words);
    await untilReady(page);
    expect(await page.getByRole("button", { name: decision, exact: true }).count()).toBe(0);
    await expectStored(page);
  });
}

test("an answer that fails is said to have failed, and the next message is answered", async () => {
  const page = await open(chatOf("chat-fail"));
  await say(page, "Fail");
  await page.getByRole("alert").getByText("The scripted model was told to fail.").waitFor();
  await say(page, "12 * 7 - 3");
  await untilSaid(page, "= 81.");
});

test("a cleared conversation is empty in every page, and stays so", async () => {
  const [first, second] = await openTwo("chat-clear");
  await say(first, "12 * 7 - 3");
  await Promise.all([untilSaid(first, "= 81."), untilSaid(second, "= 81.")]);
  await untilReady(first);
  await press(first, "Clear …");
  await press(first, "Clear the conversation");
  for (const page of [first, second]) await page.getByText("Empty. Write something").waitFor();
  await first.reload();
  await first.getByText("Empty. Write something").waitFor();
});

test("a phone shows the chat without scrolling sideways, also while a person is asked", async () => {
  const page = await open(chatOf("chat-phone"), { width: 390, height: 844 });
  await say(page, "Send a postcard to Ada");
  await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
  expect(await scrollsSideways(page)).toBe(false);
});

test("a server that is started again in the middle of an answer gives it whole, and once, to the page that waited", async () => {
  const state = await tempStateDir();
  const port = await freePort();
  let server = await startServer(port, state.path);
  try {
    const page = await open(chatOf("chat-restart", server.url));
    await beginLongAnswer(page);
    await server.stop();
    await page.getByText("Line lost, reconnecting …").waitFor();
    server = await startServer(port, state.path);
    await page.getByText("Connected", { exact: true }).waitFor();
    await expectWhole(page);
  } finally {
    await server.stop();
    await state.remove();
  }
});
