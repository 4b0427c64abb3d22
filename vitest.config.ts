import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

/**
 * Two speeds: `node` is pure code in milliseconds; `workerd` is everything that touches storage, alarms
 * and the lifecycle, in the real runtime. Browser and package tests have configurations of their own.
 */
export default defineConfig({
  test: {
    // One large message would carry the cached graph to workerd and exceed a WebSocket message.
    fsModuleCache: false,
    // What passing tests print (reported faults, crashes made on purpose) would hide what a failing one says.
    silent: "passed-only",
    projects: [
      { extends: true, test: { name: "node", include: ["tests/**/*.node.test.ts"] } },
      {
        extends: true,
        plugins: [cloudflareTest({ wrangler: { configPath: "./tests/support/wrangler.jsonc" } })],
        test: { name: "workerd", include: ["tests/**/*.worker.test.ts"], testTimeout: 20_000 },
      },
    ],
  },
});
