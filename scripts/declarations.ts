// Copies the declarations that the entries reach, and names their neighbours `./x.js`, so that they resolve
// under `bundler` and `nodenext` in any TypeScript that knows ES modules.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseModule } from "./architecture/module.ts";

/** `entries` are paths without extension, relative to both folders. */
export function publishDeclarations(from: string, to: string, entries: readonly string[]): void {
  const files = new Set(entries.map((entry) => `${entry}.d.ts`));
  for (const file of files) {
    const { text, neighbours } = renamed(file, readFileSync(join(from, file), "utf8"));
    for (const neighbour of neighbours) files.add(neighbour);
    mkdirSync(dirname(join(to, file)), { recursive: true });
    writeFileSync(join(to, file), text);
  }
}

function renamed(file: string, source: string): { text: string; neighbours: string[] } {
  const neighbours: string[] = [];
  let text = source;
  // From the end, so that the earlier places stay true.
  for (const { specifier, target, start } of parseModule(file, source).imports.toSorted((a, b) => b.start - a.start)) {
    if (target === undefined) continue;
    if (target.startsWith("..")) throw new Error(`${file} names ${specifier}, which is not published`);
    const name = specifier.replace(/\.tsx?$/, ".js");
    text = `${text.slice(0, start + 1)}${name}${text.slice(start + 1 + specifier.length)}`;
    neighbours.push(target.replace(/\.tsx?$/, ".d.ts"));
  }
  return { text, neighbours };
}
