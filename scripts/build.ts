// `npm run build`: dist/ as it is published. JavaScript by esbuild, one chunk for what the entries share, with the
// migrations inlined; declarations by tsc. Packages stay imports: a second copy of `agents` or `ai` breaks instanceof.
// Functions stay native `async` and fields `#private` (es2022), because `agents` tests for AsyncFunction.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { build } from "esbuild";
import { publishDeclarations } from "./declarations.ts";

const entries = ["index", "workflows/index", "testing/index"];

async function javascript(): Promise<void> {
  await build({
    entryPoints: entries.map((entry) => `src/${entry}.ts`),
    outbase: "src",
    outdir: "dist",
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    packages: "external",
    external: ["cloudflare:*", "node:*"],
    loader: { ".sql": "text" },
    sourcemap: true,
    logLevel: "warning",
  });
}

async function declarations(): Promise<void> {
  const tsc = spawn(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
    stdio: "inherit",
  });
  const [code] = await once(tsc, "close");
  if (code !== 0) throw new Error("the declarations do not compile");
  publishDeclarations("dist/.types/src", "dist", entries);
  await rm("dist/.types", { recursive: true });
}

const started = performance.now();
await rm("dist", { recursive: true, force: true });
await Promise.all([javascript(), declarations()]);
console.log(`dist: ${entries.length} entries in ${Math.round(performance.now() - started)} ms`);
