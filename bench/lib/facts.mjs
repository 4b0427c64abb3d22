/** What a reader of the results must know of the versions and the machine; no names and no paths. */
import { readFile } from "node:fs/promises";
import os from "node:os";

const PACKAGES = ["@cloudflare/think", "agents", "ai", "drizzle-orm", "workerd", "esbuild"];

export async function facts() {
  const versions = { node: process.versions.node, thinklog: await versionIn("package.json") };
  for (const name of PACKAGES) versions[name] = await versionIn(`node_modules/${name}/package.json`);
  return {
    versions,
    machine: {
      cpu: os.cpus()[0]?.model,
      cores: os.availableParallelism(),
      memoryGiB: Math.round(os.totalmem() / 2 ** 30),
      platform: `${os.platform()} ${os.arch()}`,
      loadAverage: os.loadavg().map((load) => Math.round(load * 100) / 100),
    },
  };
}

async function versionIn(file) {
  return JSON.parse(await readFile(new URL(`../../${file}`, import.meta.url), "utf8")).version;
}
