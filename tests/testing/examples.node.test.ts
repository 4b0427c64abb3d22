import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "examples-"));
symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
afterAll(() => rmSync(folder, { recursive: true }));

const entry = pathToFileURL(join(root, "src/testing/index.ts")).href;

/** The code under each `@example` of a file, ready to run. */
const examplesIn = (file: string): string[] =>
  readFileSync(join(root, "src/testing", file), "utf8")
    .split("@example\n")
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf("*/")).replaceAll(/^ \* ?/gm, ""))
    .map((code) => code.replaceAll(`"thinklog/testing"`, JSON.stringify(entry)));

test("every example in the documentation of thinklog/testing runs and prints what it says", () => {
  const files = ["fixed.ts", "memory-log.ts", "specify-decider.ts", "specify-reducer.ts"];
  const examples = files.flatMap(examplesIn);
  expect(examples).toHaveLength(5);

  const program = examples.map((code) => `{\n${code.replaceAll(/^import .*$/gm, "")}\n}`).join("\n");
  const names = ["fixedClock", "fixedIds", "MemoryLog", "specifyDecider", "specifyReducer"];
  const file = join(folder, "examples.ts");
  writeFileSync(file, `import { ${names.join(", ")} } from ${JSON.stringify(entry)};\n${program}`);
  const printed = execFileSync(process.execPath, ["--no-warnings", file], { encoding: "utf8" }).trim().split("\n");

  expect(printed).toEqual(examples.flatMap((code) => [...code.matchAll(/\/\/ (.+)$/gm)].map(([, said]) => said)));
});
