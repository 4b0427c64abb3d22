// No import cycles, in src not even of types: two files that need each other are one idea or three.
// A Worker's own types do need each other (its Env names the agent, the agent takes the Env), so the demo may.
import { type Module, type Problem, problem } from "./module.ts";

export function checkCycles(modules: ReadonlyMap<string, Module>): Problem[] {
  const problems: Problem[] = [];
  const done = new Set<string>();
  const trail: string[] = [];

  const enter = (module: Module) => {
    if (done.has(module.path)) return;
    trail.push(module.path);
    for (const { target, typeOnly, start } of module.imports) {
      if (target === undefined || (typeOnly && module.path.startsWith("demo/"))) continue;
      const at = trail.indexOf(target);
      const next = modules.get(target);
      if (at >= 0) problems.push(problem(module, start, `cycle: ${[...trail.slice(at), target].join(" → ")}`));
      else if (next) enter(next);
    }
    trail.pop();
    done.add(module.path);
  };

  for (const module of modules.values()) enter(module);
  return problems;
}
