/**
 * Starts each variant in wrangler's development server: Workflows need the engine that comes with it. Answers what
 * `startWorkerd` does, so that scenarios see no difference. What the server adds to a request falls into no number.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unstable_startWorker as startWorker } from "wrangler";
import { COMPATIBILITY_DATE } from "./workerd.mjs";

/** Serves `<directory>/<variant>.js`, with the workflow `BenchPrompts` bound as `PROMPTS`. */
export async function startWrangler(directory, variants) {
  const workers = [];
  for (const variant of variants) workers.push({ variant, worker: await start(directory, variant) });
  const urls = {};
  for (const { variant, worker } of workers) urls[variant] = (await worker.url).origin;
  return {
    urls,
    output: () => "",
    stop: async () => void (await Promise.all(workers.map(({ worker }) => worker.dispose()))),
  };
}

async function start(directory, variant) {
  const config = join(directory, `${variant}.wrangler.json`);
  await writeFile(config, JSON.stringify(configuration(variant)));
  return startWorker({
    config,
    build: { bundle: false },
    dev: {
      server: { hostname: "127.0.0.1", port: 0 },
      inspector: false,
      logLevel: "error",
      watch: false,
      persist: join(directory, `storage-${variant}`),
    },
  });
}

const configuration = (variant) => ({
  name: `bench-${variant}`,
  main: `${variant}.js`,
  compatibility_date: COMPATIBILITY_DATE,
  no_bundle: true,
  durable_objects: {
    bindings: [
      { name: "AGENT", class_name: "BenchAgent" },
      { name: "METER_CHECK", class_name: "MeterCheck" },
    ],
  },
  migrations: [{ tag: "v1", new_sqlite_classes: ["BenchAgent", "MeterCheck"] }],
  workflows: [{ name: `${variant}-prompts`, binding: "PROMPTS", class_name: "BenchPrompts" }],
});
