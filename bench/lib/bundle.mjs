/** Bundles one variant of the bench Worker into one module, the way wrangler would. */
import { build } from "esbuild";

/** Builds `bench/worker/<variant>.ts`; SQL migrations become text. */
export async function bundle(variant, outfile) {
  await build({
    entryPoints: [new URL(`../worker/${variant}.ts`, import.meta.url).pathname],
    outfile,
    bundle: true,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    mainFields: ["module", "main"],
    external: ["node:*", "cloudflare:*"],
    loader: { ".sql": "text" },
    define: { "process.env.NODE_ENV": '"production"' },
    // The libraries name things after their classes.
    keepNames: true,
    plugins: [absentModules, bareNodeModules],
    logLevel: "error",
  });
}

/** `import "path"` and the like mean the runtime's `node:path`. */
const bareNodeModules = {
  name: "bare-node-modules",
  async setup({ onResolve }) {
    const { builtinModules } = await import("node:module");
    const names = builtinModules.filter((name) => !name.startsWith("_") && !name.includes(":"));
    onResolve({ filter: new RegExp(`^(${names.join("|")})$`) }, ({ path }) => ({
      path: `node:${path}`,
      external: true,
    }));
  },
};

/** What libraries import and no measured path reaches: an optional peer, and a module that only wrangler adds. */
const absentModules = {
  name: "absent-modules",
  setup({ onResolve, onLoad }) {
    const contents = {
      "just-bash": "export class Bash {} export const defineCommand = () => undefined;",
      "cloudflare:email": "export class EmailMessage {}",
    };
    onResolve({ filter: /^(just-bash|cloudflare:email)$/ }, ({ path }) => ({ path, namespace: "absent" }));
    onLoad({ filter: /.*/, namespace: "absent" }, ({ path }) => ({ contents: contents[path] }));
  },
};
