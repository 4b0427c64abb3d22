import { describe, expect, test } from "vitest";
import { checkArchitecture } from "../../scripts/architecture/check.ts";

/** Checks made-up files; a finding reads `path:line message`. */
function findings(files: Record<string, string>): string[] {
  return checkArchitecture(Object.entries(files)).map(({ path, line, message }) => `${path}:${line} ${message}`);
}

describe("each layer imports only what its row allows", () => {
  test.each([
    ["src/events/turn.ts", "../commands/submit.ts"],
    ["src/events/turn.ts", "../types.ts"],
    ["src/commands/submit.ts", "../log/append.ts"],
    ["src/commands/submit.ts", "../projections/queue/reducer.ts"],
    ["src/projections/queue/reducer.ts", "../../commands/submit.ts"],
    ["src/log/append.ts", "../projections/project.ts"],
    ["src/queries/ledger.ts", "../engine/dispatch.ts"],
    ["src/effects/start-turn.ts", "../log/append.ts"],
    ["src/effects/start-turn.ts", "../engine/dispatch.ts"],
    ["src/effects/start-turn.ts", "../think.ts"],
    ["src/engine/dispatch.ts", "../turn/loop.ts"],
    ["src/engine/dispatch.ts", "../think.ts"],
    ["src/turn/loop.ts", "../think.ts"],
    ["src/turn/loop.ts", "../index.ts"],
    ["src/conversation/session.ts", "../think.ts"],
    ["src/wire/protocol.ts", "../think.ts"],
    ["src/schedule/grammar.ts", "../think.ts"],
    ["src/turn/loop.ts", "../wire/protocol.ts"],
    ["src/think.ts", "./testing/index.ts"],
    ["src/think.ts", "../demo/worker.ts"],
    ["src/think.ts", "../tests/helper.ts"],
    ["src/index.ts", "../bench/run.ts"],
    ["demo/worker.ts", "../src/think.ts"],
    ["demo/worker.ts", "../src/testing/index.ts"],
  ])("%s must not import %s", (path, specifier) => {
    for (const statement of [
      `import { x } from "${specifier}";`,
      `export * from "${specifier}";`,
      `export type X = import("${specifier}").X;`,
      `export const x = () => import("${specifier}");`,
    ]) {
      expect(findings({ [path]: `\n${statement}` })).toContainEqual(
        expect.stringMatching(`^${path}:2 .* must not import`),
      );
    }
  });

  test.each([
    ["src/commands/submit.ts", `import { x } from "../events/turn.ts"; import { y } from "./state.ts";`],
    [
      "src/effects/start-turn.ts",
      `import { x } from "../engine/ports.ts"; import { y } from "../engine/ports/alarm.ts";`,
    ],
    ["src/effects/start-turn.ts", `import type { Row } from "../projections/queue/table.ts";`],
    ["src/engine/migrate.ts", `import sql from "../../drizzle/0000_first.sql";`],
    ["src/workflows/step.ts", `import type { Think } from "../think.ts";`],
    ["demo/worker.ts", `import { Think } from "../src/index.ts"; import { W } from "../src/workflows/index.ts";`],
  ])("%s may: %s", (path, text) => {
    expect(findings({ [path]: text })).toEqual([]);
  });

  test("a layer open for types only refuses values", () => {
    expect(findings({ "src/effects/a.ts": `import { queue } from "../projections/queue/table.ts";` })).toEqual([
      "src/effects/a.ts:1 src/effects may import only types from src/projections/queue/table.ts",
    ]);
  });

  test("a new folder needs a row, and a relative import its extension", () => {
    expect(findings({ "src/utils/x.ts": "" })[0]).toMatch(/has no layer/);
    expect(findings({ "src/events/x.ts": `import { y } from "./y";` })[0]).toMatch(/needs its file extension/);
  });
});

test("cycles are reported, in src type imports included", () => {
  const cycle = findings({
    "src/events/a.ts": `import type { B } from "./b.ts";`,
    "src/events/b.ts": `export * from "./c.ts";`,
    "src/events/c.ts": `import { a } from "./a.ts";`,
  });
  expect(cycle).toEqual([
    "src/events/c.ts:1 cycle: src/events/a.ts → src/events/b.ts → src/events/c.ts → src/events/a.ts",
  ]);

  const env = { "demo/env.ts": `import type { A } from "./agent.ts";` };
  expect(findings({ ...env, "demo/agent.ts": `import type { Env } from "./env.ts";` })).toEqual([]);
  expect(findings({ "demo/a.ts": `import "./b.ts";`, "demo/b.ts": `import "./a.ts";` })).toHaveLength(1);
});
