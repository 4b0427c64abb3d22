// The console in the words of its user: what tests do on the page and wait for.
import type { Locator, Page } from "playwright-core";

export async function submit(page: Page, text: string, key = ""): Promise<void> {
  await page.getByLabel("Prompt", { exact: true }).fill(text);
  await page.getByLabel("Idempotency key").fill(key);
  await page.getByRole("button", { name: "Submit", exact: true }).click();
}

export const outcome = (page: Page): Locator => page.getByRole("region", { name: "Outcome of the last action" });

export const rows = (page: Page): Locator => page.locator("tbody tr");

export const rowOf = (page: Page, prompt: string): Locator =>
  rows(page).filter({ has: page.getByRole("button", { name: prompt, exact: true }) });

/** Waits until the submission of this prompt is in this state. */
export async function untilState(page: Page, prompt: string, state: string): Promise<void> {
  await rowOf(page, prompt)
    .and(page.locator(`[data-status="${state}"]`))
    .waitFor();
}

export const events = (page: Page): Locator => page.getByRole("list", { name: "Events, oldest first" }).locator("> li");

export async function eventTypes(page: Page): Promise<string[]> {
  return events(page).evaluateAll((items) => items.map((item) => item.getAttribute("data-type") ?? ""));
}

/** Waits until the events on show include one of this type. */
export async function untilEvent(page: Page, type: string): Promise<void> {
  await page.locator(`.trail li[data-type="${type}"]`).first().waitFor();
}

export const conversation = (page: Page): Locator => page.getByRole("region", { name: "Conversation" });

export async function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
}
