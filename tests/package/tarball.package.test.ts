import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestHarness, type TestHarness } from "wrangler";
import { installProject, type Project, root, runTool } from "./project.ts";

let project: Project;
beforeAll(() => {
  project = installProject();
});
afterAll(() => project?.remove());

describe("the tarball", () => {
  test("holds what is published and nothing else", () => {
    const outside = project.files.filter((path) => !path.startsWith("dist/"));
    expect(outside.filter((file) => !file.startsWith("docs/")).toSorted()).toEqual([
      "CHANGELOG.md",
      "CONTRIBUTING.md",
      "LICENSE",
      "README.md",
      "bench/README.md",
      "package.json",
    ]);
    expect(
      project.files.filter((path) => !/^dist\/[\w/-]+\.(js|js\.map|d\.ts)$/.test(path) && !outside.includes(path)),
    ).toEqual([]);
  });

  test("finds every file its exports name", () => {
    const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const named = Object.values<Record<string, string>>(exports).flatMap((conditions) => Object.values(conditions));
    expect(project.files).toEqual(expect.arrayContaining(named.map((path) => path.replace("./", ""))));
  });

  test("imports no SQL file, no TypeScript and not itself by name", () => {
    const dist = join(project.folder, "node_modules/thinklog/dist");
    for (const path of globSync("**/*.{js,d.ts}", { cwd: dist })) {
      const text = readFileSync(join(dist, path), "utf8");
      expect(text, path).not.toMatch(/(from|import)\s*\(?\s*["'](thinklog|[^"']*\.(sql|tsx?))["']/);
    }
  });

  test("keeps async functions native and private fields private", () => {
    const dist = join(project.folder, "node_modules/thinklog/dist");
    const code = globSync("**/*.js", { cwd: dist }).map((path) => readFileSync(join(dist, path), "utf8"));
    expect(code.join("\n")).toMatch(/\basync #?\w+\(/);
    expect(code.join("\n")).not.toMatch(/__(async|privateGet|privateAdd|privateMethod)\b/);
  });

  test("brings no second agents, ai or zod", () => {
    for (const name of ["thinklog", "@cloudflare/think"]) {
      for (const peer of ["agents", "ai", "zod"]) {
        expect(existsSync(join(project.folder, "node_modules", name, "node_modules", peer))).toBe(false);
      }
    }
  });
});

describe("types, under both names", () => {
  test.each([
    ["esnext", "bundler"],
    ["nodenext", "nodenext"],
  ])("module %s with resolution %s", (module, resolution) => {
    runTool(
      project.folder,
      "typescript/bin/tsc",
      "-p",
      ".",
      "--module",
      module,
      "--moduleResolution",
      resolution,
      "--skipLibCheck",
    );
  });

  test("the declarations themselves are sound", () => {
    let report = "";
    try {
      runTool(
        project.folder,
        "typescript/bin/tsc",
        "-p",
        ".",
        "--module",
        "nodenext",
        "--moduleResolution",
        "nodenext",
      );
    } catch (error) {
      report = String(error);
    }
    // Only ours: the dependencies' declarations answer for themselves.
    const ours = report.split("\n").filter((line) => /^node_modules\/(thinklog|@cloudflare\/think)\//.test(line));
    expect(ours).toEqual([]);
  });
});

describe("in workerd", () => {
  let server: TestHarness;
  beforeAll(async () => {
    runTool(project.folder, "wrangler/bin/wrangler.js", "deploy", "--dry-run", "--outdir", "bundle");
    server = createTestHarness({
      root: project.folder,
      workers: [{ configPath: "wrangler.jsonc", prebuiltWorkerDir: "bundle" }],
    });
    await server.listen();
  });
  afterAll(() => server?.close());

  async function call<T>(path: string, body?: string): Promise<T> {
    const response = await server.fetch(`/${path}`, body === undefined ? {} : { method: "POST", body });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  }

  test.each(["Hello", "Crowded"])("%s runs a submission to its answer", async (agent) => {
    type Record = { submissionId: string; status: string; error?: string };
    let record = await call<Record>(`${agent}/submissions`, "Who are you?");
    for (let tries = 0; tries < 100 && ["pending", "running"].includes(record.status); tries++) {
      await sleep(50);
      record = await call<Record>(`${agent}/submissions/${record.submissionId}`);
    }
    expect(record).toMatchObject({ status: "completed" });

    const messages = await call<{ role: string; parts: unknown[] }[]>(`${agent}/messages`);
    expect(messages.map((message) => message.role)).toEqual(["user", "assistant"]);
    expect(messages[1]?.parts).toContainEqual(
      expect.objectContaining({ type: "text", text: "Hello from the tarball." }),
    );
  });
});
