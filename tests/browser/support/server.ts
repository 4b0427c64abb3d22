// Runs scripts/start.mjs as a user would, on a free port, with storage of its own.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Server = {
  readonly url: string;
  /** Ends it as Ctrl-C does, and gives back its exit code. */
  stop: () => Promise<number | null>;
};

export async function startServer(port: number, stateDir: string): Promise<Server> {
  const child = spawn(process.execPath, ["scripts/start.mjs"], {
    env: { ...process.env, PORT: String(port), THINKLOG_STATE_DIR: stateDir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  await ready(child);
  return {
    url: `http://localhost:${port}`,
    stop: async () => {
      if (child.exitCode !== null) return child.exitCode;
      child.kill("SIGINT");
      const [code] = (await once(child, "exit")) as [number | null];
      return code;
    },
  };
}

/** Resolves at the line that tells the user it is ready. */
function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = "";
    const onData = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("is ready")) resolve();
    };
    child.stdout?.on("data", onData);
    child.stderr?.on("data", onData);
    child.once("exit", (code) =>
      reject(new Error(`The server ended with code ${code} before it was ready:\n${output}`)),
    );
  });
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === "string") throw new Error("No port to be had.");
  return address.port;
}

/** A directory for storage, and how to remove it. */
export async function tempStateDir(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "thinklog-demo-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
