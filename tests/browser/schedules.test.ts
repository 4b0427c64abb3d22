import { expect, inject, test } from "vitest";
import { useBrowser } from "./support/browser.ts";

const open = useBrowser();
const url = inject("url");

test("tasks by the clock: off at first, turned on with what is next, and turned off again on record", async () => {
  const page = await open(`${url}/?agent=by-the-clock&page=schedules`);
  await page.getByText("Off. Turned on, the agent works by the clock.").waitFor();
  await page.getByRole("button", { name: "Turn on" }).click();
  const digest = page.locator('tr[data-task="digest"]');
  await digest.getByText("every 1 hour").waitFor();
  await page.locator('tr[data-task="triage"]').getByText("every day at 07:00 in europe/berlin").waitFor();
  expect(await digest.locator("td").last().textContent()).toMatch(/^\d{2}\/\d{2}\/\d{4} \d{2}:\d{2}$/);
  await page.reload();
  await digest.waitFor();

  await page.getByRole("button", { name: "Turn off" }).click();
  await page.getByText("Off. Turned on, the agent works by the clock.").waitFor();
  const { events } = (await (await fetch(`${url}/api/by-the-clock/events?type=TaskRemoved`)).json()) as {
    events: { data: { taskId: string } }[];
  };
  expect(events.map(({ data }) => data.taskId)).toEqual(["digest", "triage"]);
});
