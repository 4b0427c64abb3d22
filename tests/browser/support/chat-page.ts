// The chat in the words of its user: what tests write and press, and the states they wait for.
import { expect } from "vitest";
import type { Locator, Page } from "playwright-core";

export async function say(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

export const questions = (page: Page): Locator => page.locator(".messages > li.user");

export const answers = (page: Page): Locator => page.locator(".messages > li.assistant");

/** Waits until this is said by the assistant, in whichever of its messages. */
export async function untilSaid(page: Page, text: string | RegExp): Promise<void> {
  await answers(page).getByText(text).last().waitFor();
}

/** Waits until nothing is on its way. Only after something that is seen to have begun: before, it is ready too. */
export async function untilReady(page: Page): Promise<void> {
  await page.locator('[data-busy="false"]').waitFor();
}

export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole("button", { name, exact: true }).click();

/** Everything that is said, message by message, without what is there to press. */
export async function transcript(page: Page): Promise<string[]> {
  return page
    .locator(".messages > li")
    .evaluateAll((items) =>
      items.map((item) => [...item.querySelectorAll(".said, .tool")].map((part) => part.textContent).join("\n")),
    );
}

/** A page that opens the conversation anew shows the same messages. */
export async function expectStored(page: Page): Promise<void> {
  const seen = await transcript(page);
  await page.reload();
  await page
    .locator(".messages > li")
    .nth(seen.length - 1)
    .waitFor();
  expect(await transcript(page)).toEqual(seen);
}
