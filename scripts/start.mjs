// npm start: build the console's page if it changed, then run the demo Worker until Ctrl-C.
//
//   PORT=8787                      where it listens
//   THINKLOG_STATE_DIR=.wrangler/state   where the objects' storage is kept between runs
import { spawn } from "node:child_process";
// As a namespace: Node 20 has no globSync, and an import by name would end it before main() can say what is wrong.
import * as fs from "node:fs";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const HOST = "127.0.0.1";
const READY_MS = 60_000;
const STOP_MS = 5_000;
const root = fileURLToPath(new URL("..", import.meta.url));

process.chdir(root);
await main();

async function main() {
  if (Number(process.versions.node.split(".")[0]) < 22) {
    fail("Node.js 22 or newer is needed; `npm start` brings its own, so start it that way.");
  }
  const port = readPort(process.env.PORT || "8787");
  const stateDir = process.env.THINKLOG_STATE_DIR || ".wrangler/state";
  await refuseTakenPort(port);
  await buildPageIfChanged();

  const worker = startWorker(port, stateDir);
  const info = await waitUntilReady(port, worker.signal);
  console.log(`
  thinklog demo is ready

    Console   http://localhost:${port}
    API       http://localhost:${port}/api/default/submissions
    Model     ${info.model.name} (${info.model.kind})${info.model.kind === "scripted" ? ", offline; see .dev.vars.example for others" : ""}
    State     ${stateDir}

  Ctrl-C stops it; the state stays.
`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

function readPort(text) {
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  return fail(`PORT must be a number from 1 to 65535, not "${text}".`);
}

/** Wrangler would move on to another port in silence; whoever chose this one wants to know. */
function refuseTakenPort(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error) => {
      if (error.code === "EADDRINUSE") fail(`Port ${port} is taken. Choose another one: PORT=${port + 1} npm start`);
      fail(`Port ${port} cannot be used: ${error.message}`);
    });
    probe.listen(port, HOST, () => probe.close(resolve));
  });
}

async function buildPageIfChanged() {
  const sources = [...fs.globSync("demo/web/**/*.*"), "package-lock.json"];
  const newest = Math.max(...sources.map((file) => fs.statSync(file).mtimeMs));
  const page = "demo/dist/index.html";
  if (fs.existsSync(page) && fs.statSync(page).mtimeMs > newest) return;

  console.log("Building the console …");
  const { build } = await import("vite");
  await build({ configFile: "demo/web/vite.config.ts", logLevel: "warn" });
}

/** Starts Wrangler in a process group of its own, so that one signal ends it and workerd together. */
function startWorker(port, stateDir) {
  const args = ["node_modules/wrangler/bin/wrangler.js", "dev", "--ip", HOST, "--port", String(port)];
  args.push("--inspector-port", "0", "--persist-to", stateDir);
  args.push("--log-level", "warn", "--show-interactive-dev-session", "false");
  const quiet = {
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_HIDE_BANNER: "true",
    WRANGLER_WRITE_LOGS: "false",
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
  };
  const child = spawn(process.execPath, args, {
    detached: true,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...quiet },
  });

  process.once("exit", () => killGroup(child.pid, "SIGKILL"));

  const ended = new AbortController();
  let stopping = false;
  child.once("exit", (code) => {
    ended.abort();
    if (stopping) process.exit(0);
    fail(`The Worker ended by itself (exit code ${code}).`);
  });
  const stop = () => {
    if (stopping) return;
    stopping = true;
    console.log("Stopping …");
    killGroup(child.pid, "SIGINT");
    setTimeout(() => killGroup(child.pid, "SIGKILL"), STOP_MS);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
  if (process.env.npm_lifecycle_event) whenOrphaned(stop);
  return { signal: ended.signal };
}

/** npm puts a shell in between, which dies of a SIGTERM without passing it on. */
function whenOrphaned(stop) {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop(), 500).unref();
}

function killGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

async function waitUntilReady(port, ended) {
  const deadline = Date.now() + READY_MS;
  while (Date.now() < deadline && !ended.aborted) {
    const response = await fetch(`http://${HOST}:${port}/api/info`).catch(() => undefined);
    if (response?.ok) return response.json();
    await sleep(150);
  }
  return fail("The Worker did not answer in time; see the messages above.");
}
