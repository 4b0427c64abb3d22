/**
 * Starts one workerd process with a service and a socket for each variant. It is called directly, without a
 * development server around it, so that nothing but the two Workers runs between the clock and the object.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import workerdPackage from "workerd";

/** At this date `nodejs_compat` is on without being named. */
export const COMPATIBILITY_DATE = "2026-11-01";

/** Serves `<directory>/<variant>.js`; answers where each variant listens, what was printed last, and how to stop. */
export async function startWorkerd(directory, variants) {
  await Promise.all(variants.map((variant) => mkdir(join(directory, `storage-${variant}`))));
  await writeFile(join(directory, "config.capnp"), config(directory, variants));
  const process = spawn(workerdPackage.default, ["serve", "--control-fd=3", join(directory, "config.capnp")], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const output = lastLines(process);
  const urls = await listening(process, variants, output);
  return {
    urls,
    output,
    async stop() {
      if (process.exitCode !== null) return;
      process.kill();
      await once(process, "exit");
    },
  };
}

function config(directory, variants) {
  const service = (variant) => `
    (name = "${variant}", worker = (
      modules = [(name = "${variant}.js", esModule = embed "${variant}.js")],
      compatibilityDate = "${COMPATIBILITY_DATE}",
      durableObjectNamespaces = [
        (className = "BenchAgent", uniqueKey = "${variant}-agent", enableSql = true, preventEviction = true),
        (className = "MeterCheck", uniqueKey = "${variant}-check", enableSql = true)
      ],
      durableObjectStorage = (localDisk = "storage-${variant}"),
      bindings = [
        (name = "AGENT", durableObjectNamespace = "BenchAgent"),
        (name = "METER_CHECK", durableObjectNamespace = "MeterCheck")
      ]
    )),
    (name = "storage-${variant}", disk = (path = "${join(directory, `storage-${variant}`)}", writable = true))`;
  const socket = (variant) => `(name = "${variant}", address = "127.0.0.1:0", http = (), service = "${variant}")`;
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [${variants.map(service).join(",")}],
  sockets = [${variants.map(socket).join(", ")}]
);
`;
}

/** Waits until every socket is open: workerd writes one line of JSON for each to its control pipe. */
async function listening(process, variants, output) {
  const urls = {};
  const failed = once(process, "exit").then(([code]) => {
    throw new Error(`workerd ended with ${code} before it listened.\n${output()}`);
  });
  const ready = (async () => {
    for await (const line of createInterface({ input: process.stdio[3] })) {
      const message = JSON.parse(line);
      if (message.event === "listen") urls[message.socket] = `http://127.0.0.1:${message.port}`;
      if (variants.every((variant) => urls[variant])) return;
    }
    await failed;
  })();
  await Promise.race([ready, failed]);
  failed.catch(() => undefined);
  return urls;
}

/** Keeps the Workers' output out of the report, and its end for the case that something fails. */
function lastLines(process) {
  const lines = [];
  for (const stream of [process.stdout, process.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      if (lines.length > 40) lines.shift();
    });
  }
  return () => lines.join("\n");
}
