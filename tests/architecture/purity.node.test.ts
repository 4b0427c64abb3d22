import { expect, test } from "vitest";
import { checkArchitecture } from "../../scripts/architecture/check.ts";

const messages = (files: Record<string, string>) =>
  checkArchitecture(Object.entries(files)).map((found) => found.message);

const pureFiles = [
  "src/events/turn.ts",
  "src/commands/submit.ts",
  "src/projections/queue/reducer.ts",
  "src/effects/react.ts",
  "src/effects/reconcile.ts",
];

test.each(pureFiles)("%s imports no package but zod", (path) => {
  const packages = [
    "cloudflare:workers",
    "node:crypto",
    "agents",
    "agents/sessions",
    "ai",
    "drizzle-orm",
    "drizzle-orm/sqlite-core",
  ];
  for (const name of packages) {
    expect(messages({ [path]: `import type { X } from "${name}";` })).toEqual([`pure code must not import ${name}`]);
  }
  expect(messages({ [path]: `import { z } from "zod";` })).toEqual([]);
});

test("purity is followed through what a pure file runs, not through the types it names", () => {
  const table = { "src/projections/queue/table.ts": `import { sqliteTable } from "drizzle-orm/sqlite-core";` };
  const reducer = "src/projections/queue/reducer.ts";
  expect(messages({ ...table, [reducer]: `import { queue } from "./table.ts";` })).toEqual([
    "pure code must not import drizzle-orm/sqlite-core (by way of src/projections/queue/table.ts)",
  ]);
  expect(messages({ ...table, [reducer]: `import type { Row } from "./table.ts";` })).toEqual([]);
});

test.each(["src/engine/ports.ts", "src/log/digest.ts"])("the effect planners do not reach %s", (target) => {
  expect(messages({ "src/effects/react.ts": `import { x } from "../${target.slice(4)}";` })).toContain(
    `pure code must not import ../${target.slice(4)}`,
  );
});

test.each([...pureFiles, "src/projections/project.ts"])("%s reads no clock and draws no chance", (path) => {
  for (const expression of [
    "Date.now()",
    "[1].map(Date.now)",
    "new Date()",
    "Date()",
    "performance.now()",
    "Math.random()",
    "crypto.randomUUID()",
    "globalThis.crypto.randomUUID()",
    "crypto.getRandomValues(new Uint8Array(1))",
  ]) {
    expect(messages({ [path]: `export const x = ${expression};` })).toEqual([
      expect.stringMatching("come in with the command"),
    ]);
  }
  expect(messages({ [path]: `export const day = (at: number) => new Date(at).toISOString();` })).toEqual([]);
});
