// All architecture checks over a set of files given as path → text, so that tests can make one up.
import { checkCycles } from "./cycles.ts";
import { checkLayers } from "./layers.ts";
import { parseModule, type Problem } from "./module.ts";
import { checkPurity } from "./purity.ts";
import { checkTransactions } from "./transactions.ts";
import { checkWrites } from "./writes.ts";

export function checkArchitecture(files: Iterable<readonly [path: string, text: string]>): Problem[] {
  const modules = new Map([...files].map(([path, text]) => [path, parseModule(path, text)]));
  return [
    ...[...modules.values()].flatMap((module) => [...checkLayers(module), ...checkTransactions(module)]),
    ...checkCycles(modules),
    ...checkPurity(modules),
    ...checkWrites(modules),
  ];
}
