import { expect, inject, test } from "vitest";
import { useBrowser } from "./support/browser.ts";
import {
  conversation,
  events,
  eventTypes,
  outcome,
  rowOf,
  rows,
  submit,
  untilEvent,
  untilState,
} from "./support/console-page.ts";

const open = useBrowser();
const url = inject("url");

test("a first submission is acknowledged, runs, and its answer appears", async () => {
  const page = await open(`${url}/?agent=first`);
  await submit(page, "What is the weather in Lisbon?");
  await outcome(page).getByText("Accepted", { exact: true }).waitFor();
  await untilState(page, "What is the weather in Lisbon?", "completed");
  await conversation(page).getByText("According to the weather tool: Lisbon has").waitFor();
});

test("the page says which model answers", async () => {
  const page = await open(`${url}/?agent=model`);
  await page.getByText("scripted-1 (scripted, offline)").waitFor();
});

test("a retry with the same key finds the first submission", async () => {
  const page = await open(`${url}/?agent=retry`);
  await submit(page, "Hello there", "order-1");
  await outcome(page).getByText("Accepted", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Retry with the same key" }).click();
  await outcome(page).getByText("Already known", { exact: true }).waitFor();
  expect(await rows(page).count()).toBe(1);
  await untilState(page, "Hello there", "completed");
  expect(await outcome(page).getByText("had another text").count()).toBe(0);
});

test("another text under a known key is ignored, and said to be", async () => {
  const page = await open(`${url}/?agent=mismatch`);
  await submit(page, "Hello there", "order-1");
  await untilState(page, "Hello there", "completed");
  await submit(page, "Something else", "order-1");
  await outcome(page).getByText("had another text").waitFor();
  expect(await rows(page).count()).toBe(1);
});

test("a stalled submission is cancelled with a reason", async () => {
  const page = await open(`${url}/?agent=cancel`);
  await submit(page, "Stall");
  await untilState(page, "Stall", "running");
  await page.getByRole("button", { name: "Cancel …" }).click();
  await page.getByLabel("Reason").fill("took too long");
  await page.getByRole("button", { name: "Cancel the submission" }).click();
  await untilState(page, "Stall", "aborted");
  await rowOf(page, "Stall").getByText("took too long").waitFor();
  await outcome(page).getByText("Cancelled; it was running.").waitFor();
});

test("a slow tool is cut short by a cancellation", async () => {
  const page = await open(`${url}/?agent=slow`);
  await page.getByRole("button", { name: "Slow tool", exact: true }).click();
  await page.getByRole("button", { name: "Submit", exact: true }).click();
  await untilEvent(page, "ToolCallStarted");
  await page.getByRole("button", { name: "Cancel …" }).click();
  await page.getByRole("button", { name: "Cancel the submission" }).click();
  await untilState(page, "Slow tool", "aborted");
});

test("a failure shows its reason", async () => {
  const page = await open(`${url}/?agent=failure`);
  await submit(page, "Fail");
  await untilState(page, "Fail", "error");
  await rowOf(page, "Fail").getByText("The scripted model was told to fail.").waitFor();
});

test("a reset aborts what runs, skips what waits and empties the conversation", async () => {
  const page = await open(`${url}/?agent=reset`);
  await submit(page, "Stall");
  await untilState(page, "Stall", "running");
  await submit(page, "Hello there");
  await untilState(page, "Hello there", "pending");
  await page.getByRole("button", { name: "Reset …" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Reset" }).click();
  await untilState(page, "Stall", "aborted");
  await untilState(page, "Hello there", "skipped");
  await conversation(page).getByText("Empty.").waitFor();
});

test("prompts and Retry outlive a reset, also in another browser", async () => {
  const page = await open(`${url}/?agent=other-browser`);
  for (let number = 1; number <= 6; number += 1) await submit(page, `Hello ${number}`, `key-${number}`);
  await untilState(page, "Hello 6", "completed");
  await page.getByRole("button", { name: "Reset …" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Reset" }).click();
  await conversation(page).getByText("Empty.").waitFor();

  const other = await open(`${url}/?agent=other-browser`);
  await rowOf(other, "Hello 6").waitFor();
  await rowOf(other, "Hello 1").getByRole("button").click();
  await other.getByRole("button", { name: "Retry with the same key" }).click();
  await outcome(other).getByText("Already known", { exact: true }).waitFor();
  expect(await outcome(other).getByText("had another text").count()).toBe(0);
  expect(await rows(other).count()).toBe(6);
});

test("events are shown in order, with their facts and their cause", async () => {
  const page = await open(`${url}/?agent=events`);
  await submit(page, "What is the weather in Oslo?", "order-7");
  await untilEvent(page, "TurnCompleted");
  const types = await eventTypes(page);
  expect(types[0]).toBe("TurnSubmitted");
  expect(types.at(-1)).toBe("TurnCompleted");
  expect(types).toEqual(expect.arrayContaining(["TurnClaimed", "MessagesApplied", "StepFinished"]));

  const positions = await events(page).locator(".position").allTextContents();
  const numbers = positions.map((text) => Number(text.slice(1)));
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));

  await events(page).first().getByText('"idempotencyKey": "order-7"').waitFor();
  expect(await events(page).getByText("↳ from").count()).toBe(types.length);
});

test("a deleted submission leaves the table; its events stay", async () => {
  const page = await open(`${url}/?agent=delete`);
  await submit(page, "Hello there");
  await untilState(page, "Hello there", "completed");
  await page.getByRole("button", { name: "Delete …" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Keep" }).click();
  expect(await rows(page).count()).toBe(1);

  await page.getByRole("button", { name: "Delete …" }).click();
  await page.getByRole("button", { name: "Delete the submission" }).click();
  await page.getByText("Nothing yet.").waitFor();
  await page.getByRole("heading", { name: "Whole log" }).and(page.locator(":focus")).waitFor();
  await outcome(page).getByText("Deleted from the ledger").waitFor();
  await untilEvent(page, "TurnDeleted");
  expect(await eventTypes(page)).toContain("TurnCompleted");
});

test("the same text under a freed key is asked again", async () => {
  const page = await open(`${url}/?agent=freed`);
  for (const answers of [1, 2]) {
    await submit(page, "12 * 7", "sum-1");
    await untilState(page, "12 * 7", "completed");
    await expect.poll(() => conversation(page).getByText("According to the calculate tool").count()).toBe(answers);
    await page.getByRole("button", { name: "Delete …" }).click();
    await page.getByRole("button", { name: "Delete the submission" }).click();
    await page.getByText("Nothing yet.").waitFor();
  }
});

test("the log is verified on demand", async () => {
  const page = await open(`${url}/?agent=verify`);
  await submit(page, "Hello there");
  await untilState(page, "Hello there", "completed");
  await page.getByRole("button", { name: "Verify log" }).click();
  await page.getByText(/✓ \d+ events, chain intact/).waitFor();
});

test("a reload shows the same submission and its events", async () => {
  const page = await open(`${url}/?agent=reload`);
  await submit(page, "Hello there");
  await untilEvent(page, "TurnCompleted");
  const before = await eventTypes(page);
  await page.reload();
  await untilState(page, "Hello there", "completed");
  await untilEvent(page, "TurnCompleted");
  expect(await eventTypes(page)).toEqual(before);
});

test("a submission made elsewhere appears by itself", async () => {
  const page = await open(`${url}/?agent=elsewhere`);
  await page.getByText("Nothing yet.").waitFor();
  const response = await fetch(`${url}/api/elsewhere/submissions`, {
    method: "POST",
    body: JSON.stringify({ text: "Hello from curl", submissionId: "from-curl" }),
  });
  expect(response.status).toBe(202);
  await untilState(page, "Hello from curl", "completed");
});
