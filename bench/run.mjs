/**
 * `npm run bench -- <submissions|turns|workflows|wire> [--rounds 5] [--quick] [--only 1,3] [--variant target|ours|both] [--self] [--save]`
 *
 * Runs thinklog's Think beside @cloudflare/think in one workerd process (a wrangler server each for
 * `workflows`, which need the engine in it), same model, alternating, and holds the numbers against bench/gates.json. Ends with 1 when a gate fails, with 2 when it cannot run. See bench/README.md.
 */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundle } from "./lib/bundle.mjs";
import { facts } from "./lib/facts.mjs";
import { evaluate } from "./lib/gates.mjs";
import { checkMeter } from "./lib/meter-check.mjs";
import { startWrangler } from "./lib/wrangler.mjs";
import { printReport } from "./lib/report.mjs";
import { runSuite } from "./lib/suite.mjs";
import { startWorkerd } from "./lib/workerd.mjs";
import { submissions, turns, wire, workflows } from "./scenarios/index.mjs";

const SUITES = { submissions, turns, workflows, wire };
const FULL = {
  queue: 1000,
  kept: 10_000,
  acknowledgements: 200,
  turns: 50,
  warmUp: 10,
  firstCalls: 30,
  restarts: 5,
  prompts: 20,
  chunks: 5000,
  clients: 20,
  answers: 3,
};
const QUICK = {
  queue: 100,
  kept: 500,
  acknowledgements: 40,
  turns: 15,
  warmUp: 5,
  firstCalls: 10,
  restarts: 2,
  prompts: 5,
  chunks: 1000,
  clients: 5,
  answers: 2,
};

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    rounds: { type: "string" },
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    variant: { type: "string", default: "both" },
    self: { type: "boolean", default: false },
    save: { type: "boolean" },
  },
});

const suite = positionals[0] ?? "submissions";
if (!SUITES[suite]) stop(`Unknown suite "${suite}"; there is ${Object.keys(SUITES).join(", ")}.`);
const variants = chosenVariants(options);
const scenarios = chosenScenarios(SUITES[suite], options.only);
const sizes = options.quick ? QUICK : FULL;
const rounds = Number(options.rounds ?? (options.quick ? 2 : 5));
if (!Number.isInteger(rounds) || rounds < 1) stop("--rounds takes a whole number from 1.");

const directory = await mkdtemp(join(tmpdir(), "thinklog-bench-"));
let workerd;
try {
  await Promise.all(
    variants.map((variant) => bundle(entryOf(options.self ? "target" : variant), join(directory, `${variant}.js`))),
  );
  const before = await facts();
  workerd = await (suite === "workflows" ? startWrangler : startWorkerd)(directory, variants);
  await checkMeter(workerd.urls);
  const startedAt = new Date();
  const samples = await runSuite({ scenarios, urls: workerd.urls, rounds, sizes, progress });
  const gates = JSON.parse(await readFile(new URL("gates.json", import.meta.url), "utf8"))[suite];
  const lines = evaluate({ scenarios, samples, gates: options.self ? [] : gates });

  printReport(scenarios, lines);
  if (options.quick)
    console.log(`\nQuick run with small sizes (${JSON.stringify(sizes)}): the gates are meant for the full ones.`);
  if (options.self)
    console.log("\nThe target against itself: every ratio should be near 1, and its distance from 1 is noise.");
  const [load] = loadavg();
  if (load > availableParallelism()) {
    console.log(
      `\nThe machine was busy (load ${load.toFixed(1)} at the end): take the timings with care, the counts are exact.`,
    );
  }
  if (options.save ?? isWhole(options)) {
    const result = {
      suite,
      date: startedAt.toISOString(),
      seconds: seconds(startedAt),
      rounds,
      quick: options.quick,
      sizes,
      ...before,
      samples,
    };
    console.log(`\nRaw results: bench/results/${await save(result)}`);
  }
  if (lines.some(({ pass }) => pass === false)) process.exitCode = 1;
} catch (error) {
  console.error(`${error.stack}\n\nThe last lines of workerd:\n${workerd?.output() ?? ""}`);
  process.exitCode = 2;
} finally {
  await workerd?.stop();
  await rm(directory, { recursive: true, force: true });
}

/** The file in bench/worker/ that is bundled. */
function entryOf(variant) {
  return suite === "workflows" ? `prompts-${variant}` : variant;
}

/** `--self` puts the target in both places: what differs then is noise. */
function chosenVariants({ variant, self }) {
  const known = { target: ["target"], ours: ["ours"], both: ["target", "ours"] }[variant];
  if (!known) stop("--variant is target, ours or both.");
  if (self || existsSync(new URL("../src/index.ts", import.meta.url))) return known;
  if (variant === "ours") stop("src/index.ts is not there yet.");
  console.error("src/index.ts is not there yet: the target runs alone.");
  return ["target"];
}

function chosenScenarios(all, only) {
  const numbers = only ? only.split(",").map((number) => number.trim()) : Object.keys(all);
  return numbers.map((number) => [number, all[number] ?? stop(`There is no scenario ${number}.`)]);
}

/** Only whole runs of both are kept without being asked for. */
function isWhole({ quick, only, variant, self }) {
  return !quick && !only && !self && variant === "both";
}

async function save(result) {
  const results = new URL("results/", import.meta.url);
  await mkdir(results, { recursive: true });
  const name = `${result.suite}-${result.date.replace(/[:.]/g, "-")}.json`;
  await writeFile(new URL(name, results), `${JSON.stringify(result, undefined, 1)}\n`);
  return name;
}

function seconds(since) {
  return Math.round((Date.now() - since) / 1000);
}

function progress(text) {
  console.error(`${new Date().toISOString().slice(11, 19)}  ${text}`);
}

function stop(message) {
  console.error(message);
  process.exit(2);
}
