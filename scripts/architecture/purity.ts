// Rules, reducers and effect planning are pure: they run in plain Node, with zod and nothing else,
// and take time, ids and chance from the command (rule 3). tsconfig.pure.json proves the types.
import { type Module, type Problem, problem, visit } from "./module.ts";

const pure = /^src\/(events\/.+|commands\/.+|projections\/[^/]+\/reducer|effects\/(react|reconcile))\.ts$/;

/** Projections altogether: what they write may depend on nothing but the events. */
const timeless = (path: string) => pure.test(path) || path.startsWith("src/projections/");

const packages = /^zod(\/|$)/;
const impureFolders = /^src\/(log|engine)\//;

export function checkPurity(modules: ReadonlyMap<string, Module>): Problem[] {
  return [...modules.values()].flatMap((module) => [
    ...(pure.test(module.path) ? impureImports(module, modules) : []),
    ...(timeless(module.path) ? ambientReads(module) : []),
  ]);
}

/** Follows what really runs (`import type` is looked at, but not followed) and names the way there. */
function impureImports(root: Module, modules: ReadonlyMap<string, Module>): Problem[] {
  const seen = new Set<string>();
  const problems: Problem[] = [];
  const follow = (module: Module, origin: number | undefined, trail: string[]) => {
    if (seen.has(module.path)) return;
    seen.add(module.path);
    for (const { specifier, target, typeOnly, start } of module.imports) {
      const place = origin ?? start;
      const refused = target === undefined ? !packages.test(specifier) : impureFolders.test(target);
      if (refused) {
        const by = trail.length > 0 ? ` (by way of ${trail.join(" → ")})` : "";
        problems.push(problem(root, place, `pure code must not import ${specifier}${by}`));
        continue;
      }
      const next = target === undefined || typeOnly ? undefined : modules.get(target);
      if (next) follow(next, place, [...trail, next.path]);
    }
  };
  follow(root, undefined, []);
  return problems;
}

const ambientMembers = new Set(["Date.now", "Math.random", "performance.now"]);
const ambientNames = new Set(["randomUUID", "getRandomValues", "randomBytes"]);

function ambientReads(module: Module): Problem[] {
  const problems: Problem[] = [];
  const report = (start: number, what: string) =>
    problems.push(problem(module, start, `${what}: time, ids and chance come in with the command`));
  visit(module, {
    MemberExpression(node) {
      if (node.property.type !== "Identifier" || node.computed) return;
      const name = node.property.name;
      const member = node.object.type === "Identifier" ? `${node.object.name}.${name}` : name;
      if (ambientMembers.has(member) || ambientNames.has(name)) report(node.start, member);
    },
    NewExpression(node) {
      const isDate = node.callee.type === "Identifier" && node.callee.name === "Date";
      if (isDate && node.arguments.length === 0) report(node.start, "new Date()");
    },
    CallExpression(node) {
      if (node.callee.type !== "Identifier") return;
      if (node.callee.name === "Date" || ambientNames.has(node.callee.name))
        report(node.start, `${node.callee.name}()`);
    },
  });
  return problems;
}
