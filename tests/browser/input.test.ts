import { expect, inject, test } from "vitest";
import { useBrowser } from "./support/browser.ts";
import { outcome, rows, scrollsSideways, submit, untilEvent, untilState } from "./support/console-page.ts";

const open = useBrowser();
const url = inject("url");

test("what the server refuses is shown at the field, which gets the focus", async () => {
  const page = await open(`${url}/?agent=refused`);
  await submit(page, "   ");
  const prompt = page.getByLabel("Prompt", { exact: true });
  await page.getByText("must not be blank.", { exact: true }).waitFor();
  expect(await prompt.getAttribute("aria-invalid")).toBe("true");
  expect(await prompt.evaluate((element) => element === document.activeElement)).toBe(true);

  await submit(page, "Hello there", "   ");
  await page.getByText("must not be blank.", { exact: true }).waitFor();
  expect(await prompt.getAttribute("aria-invalid")).toBe("false");
  expect(await rows(page).count()).toBe(0);
});

test("a refusal does not leave the receipt of an earlier submission standing", async () => {
  const page = await open(`${url}/?agent=stale`);
  await submit(page, "Hello there");
  await outcome(page).getByText("Accepted", { exact: true }).waitFor();
  await submit(page, "Hello there", "   ");
  await page.getByText("must not be blank.", { exact: true }).waitFor();
  expect(await outcome(page).count()).toBe(0);
});

test("everything can be done with the keyboard", async () => {
  const page = await open(`${url}/?agent=keyboard`);
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
  const tabTo = async (name: string) => {
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press("Tab");
      if ((await focused()).startsWith(name)) return;
    }
    throw new Error(`No Tab leads to "${name}".`);
  };

  await page.getByLabel("Prompt", { exact: true }).focus();
  await page.keyboard.type("Hello there");
  await page.keyboard.press("Control+Enter");
  await untilState(page, "Hello there", "completed");
  await tabTo("Stall");
  await page.keyboard.press("Enter");
  await tabTo("Submit");
  await page.keyboard.press("Enter");
  await untilState(page, "Stall", "running");

  // The rows: Tab to the first, arrow down to the next, Enter to choose.
  await tabTo("Stall");
  await page.keyboard.press("ArrowDown");
  expect(await focused()).toBe("Hello there");
  await page.keyboard.press("Enter");
  await untilEvent(page, "TurnCompleted");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");

  // Escape leaves the question, and the focus is where it was.
  await tabTo("Cancel …");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await focused()).toBe("Cancel …");

  await page.keyboard.press("Enter");
  await page.keyboard.type("by keyboard");
  await page.keyboard.press("Enter");
  await untilState(page, "Stall", "aborted");
});

test("the focus is always visible", async () => {
  const page = await open(`${url}/?agent=focus`);
  await submit(page, "Hello there");
  await untilState(page, "Hello there", "completed");
  for (let step = 0; step < 20; step += 1) {
    await page.keyboard.press("Tab");
    const outline = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return "left the page";
      const shown = element.classList.contains("select") ? element.closest("tr") : element;
      return shown ? getComputedStyle(shown).outlineStyle : "none";
    });
    expect(outline).not.toBe("none");
  }
});

test("a phone shows everything without scrolling sideways", async () => {
  const page = await open(`${url}/?agent=phone`, { width: 360, height: 740 });
  await submit(page, "Fail", "a-rather-long-idempotency-key-0123456789-0123456789");
  await outcome(page).getByText("Accepted", { exact: true }).waitFor();
  await untilState(page, "Fail", "error");
  await submit(page, "What is the weather in Oslo?");
  await untilEvent(page, "TurnCompleted");
  expect(await scrollsSideways(page)).toBe(false);

  const tops = await page
    .locator("main .pane")
    .evaluateAll((panes) =>
      panes.map((pane) => ({ name: pane.querySelector("h2")?.textContent, top: pane.getBoundingClientRect().top })),
    );
  const order = tops.toSorted((one, other) => one.top - other.top).map(({ name }) => name);
  expect(order).toEqual(["Submit", "Submissions", "Conversation", "Events of a submission"]);

  // What an action led to is seen where the action was.
  await page.getByRole("button", { name: "Retry with the same id" }).click();
  await outcome(page).getByText("Already known", { exact: true }).waitFor();
  const box = await outcome(page).boundingBox();
  const button = await page.getByRole("button", { name: "Retry with the same id" }).boundingBox();
  expect(Math.abs((box?.y ?? 0) - (button?.y ?? 0))).toBeLessThan(200);
});
