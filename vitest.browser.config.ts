// The console in a real browser, against a server started the way a user starts it. Needs a Chromium on the PATH
// (or CHROMIUM=/path/to/one). Run with `npm run test:browser`.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "browser",
    environment: "node",
    include: ["tests/browser/**/*.test.ts"],
    globalSetup: "tests/browser/support/global-setup.ts",
    testTimeout: 60_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
