import { inject, test } from "vitest";
import { useBrowser } from "./support/browser.ts";
import { outcome } from "./support/console-page.ts";

const open = useBrowser();
const url = inject("url");

for (const [decision, state] of [
  ["Approve", "complete"],
  ["Reject", "errored"],
] as const) {
  test(`a triage waits for a person, also after a reload; ${decision} leads to ${state}`, async () => {
    const page = await open(`${url}/?agent=triage-${state}&page=workflows`);
    await page.getByLabel("Report").fill("A critical login bug");
    await page.getByRole("button", { name: "Start a triage" }).click();
    await page.getByRole("button", { name: decision }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: decision }).click();
    await outcome(page)
      .getByText(`${decision === "Approve" ? "Approved" : "Rejected"}.`)
      .waitFor();
    await page.locator(`tbody tr[data-status="${state}"]`).waitFor();
  });
}

test("a review asks once for each file", async () => {
  const page = await open(`${url}/?agent=review&page=workflows`);
  await page.getByLabel("Files").fill("a.ts\nb.ts");
  await page.getByRole("button", { name: "Start a review" }).click();
  await page.locator('tbody tr[data-status="complete"]').waitFor();
  for (const file of ["a.ts", "b.ts"]) await page.getByText(`review ${file}`, { exact: true }).waitFor();
});
