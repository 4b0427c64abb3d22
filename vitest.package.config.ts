import { defineConfig } from "vitest/config";

/** `npm run test:package`: the package as a stranger gets it; slower than the rest, so apart from `npm test`. */
export default defineConfig({
  test: {
    include: ["tests/package/**/*.package.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
});
