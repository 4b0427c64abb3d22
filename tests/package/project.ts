// A stranger's project: the packed tarball, installed under both its names beside its own `agents`, `ai` and `zod`.
// It lives in the temp folder, so that nothing of this repository's node_modules can be found from it.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../..");

export type Project = {
  folder: string;
  /** What the tarball holds. */
  files: string[];
  remove(): void;
};

export function installProject(): Project {
  const folder = mkdtempSync(join(tmpdir(), "thinklog-package-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const { filename, files } = pack(folder);
    cpSync(join(import.meta.dirname, "consumer"), folder, { recursive: true });
    const tarball = `file:./${filename}`;
    const manifest = {
      private: true,
      type: "module",
      dependencies: { thinklog: tarball, "@cloudflare/think": tarball, ...locked("agents", "ai", "zod") },
      devDependencies: locked("@cloudflare/workers-types", "@types/node"),
    };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    run(
      folder,
      "npm",
      "install",
      "--prefer-offline",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
    );
    return { folder, files, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Runs a program to its end and gives back what it printed; a failure throws with that. */
export function run(cwd: string, command: string, ...args: string[]): string {
  const env = { ...process.env, WRANGLER_SEND_METRICS: "false", CI: "true", NODE_ENV: "" };
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8", env });
  if (status !== 0)
    throw new Error(`${command} ${args.join(" ")} ended with ${status ?? error?.message}\n${stdout}\n${stderr}`);
  return stdout;
}

/** A program that one of our development dependencies brings, run by this Node. */
export function runTool(cwd: string, script: string, ...args: string[]): string {
  return run(cwd, process.execPath, join(root, "node_modules", script), ...args);
}

function pack(destination: string): { filename: string; files: string[] } {
  run(root, process.execPath, "scripts/build.ts");
  const output = run(
    root,
    "npm",
    "pack",
    "--json",
    "--ignore-scripts",
    "--loglevel=error",
    "--pack-destination",
    destination,
  );
  const packed: { filename: string; files: { path: string }[] }[] = JSON.parse(output);
  const [tarball] = packed;
  if (!tarball) throw new Error(`npm pack said ${output}`);
  return { filename: tarball.filename, files: tarball.files.map((file) => file.path) };
}

function locked(...names: string[]): Record<string, string> {
  const lock: { packages: Record<string, { version: string }> } = JSON.parse(
    readFileSync(join(root, "package-lock.json"), "utf8"),
  );
  return Object.fromEntries(names.map((name) => [name, lock.packages[`node_modules/${name}`]?.version ?? "missing"]));
}
