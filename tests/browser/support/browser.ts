// A headless Chromium for a test file, and a page that fails the test when the console logs an error.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];
const QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];

export type OpenPage = (address: string, viewport?: { width: number; height: number }) => Promise<Page>;

/** `open` gives a fresh page with storage of its own; all are closed after each test. */
export function useBrowser(): OpenPage {
  let browser: Browser;
  const problems: string[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: findChromium(), args: QUIET });
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    expect(problems.splice(0)).toEqual([]);
  });

  return async (address, viewport = { width: 1280, height: 800 }) => {
    const context = await browser.newContext({ viewport });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    page.on("pageerror", (error) => problems.push(error.message));
    await page.goto(address);
    await page.getByText("Live", { exact: true }).waitFor();
    return page;
  };
}

function findChromium(): string {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable);
  if (!found) throw new Error("No Chromium on the PATH. Install one, or set CHROMIUM to where it is.");
  return found;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
