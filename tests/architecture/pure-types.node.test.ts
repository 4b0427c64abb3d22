import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const tsc = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), ...args], {
    encoding: "utf8",
    cwd: root,
  });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pure-types-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

test("pure code that names a platform type or global does not compile", () => {
  const platform = ["DurableObjectState", "Request", "WebSocket", "Buffer", "HTMLElement", "SqlStorage"];
  const globals = ["crypto", "setTimeout", "console", "process", "fetch"];
  const lines = [
    ...platform.map((name, index) => `export type T${index} = ${name};`),
    ...globals.map((name, index) => `export const v${index} = ${name};`),
  ];
  writeFileSync(join(folder, "impure.ts"), lines.join("\n"));
  writeFileSync(join(folder, "fine.ts"), `export const later = (at: number) => new Date(at).toISOString();`);
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: join(root, "tsconfig.pure.json"), include: [folder] }),
  );

  const { status, stdout } = tsc("--noEmit", "-p", folder);
  expect(status).not.toBe(0);
  expect(stdout).not.toContain("fine.ts");
  for (const [index, name] of [...platform, ...globals].entries()) {
    expect(stdout).toMatch(new RegExp(`impure\\.ts\\(${index + 1},\\d+\\): error TS\\d+: Cannot find name '${name}'`));
  }
});

test("the pure program holds the events and the commands, and nothing of the platform", () => {
  const files = tsc("--listFilesOnly", "-p", "tsconfig.pure.json").stdout;
  expect(files).toMatch(/src\/events\//);
  expect(files).toMatch(/src\/commands\//);
  expect(files).not.toMatch(/workers-types|@types\/node|lib\.dom/);
});
