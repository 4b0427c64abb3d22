// Dependency direction (rule 10 of the architecture): which layer may import which.
// A layer is a folder of src, a file directly in src, or the demo. Its own files it may always import.
import { type Import, type Module, type Problem, problem } from "./module.ts";

type Layer = {
  mayImport: readonly string[];
  /** Allowed with `import type` only. */
  mayImportTypes?: readonly string[];
};

const core = [
  "src/types.ts",
  "src/errors.ts",
  "src/defined.ts",
  "src/input",
  "src/events",
  "src/commands",
  "src/log",
  "src/projections",
  "src/queries",
  "src/effects",
  "src/engine",
  "src/turn",
  "src/conversation",
  "src/schedule",
];

/** The whole table. What is not here has no layer, and that is reported too. */
export const layers: Readonly<Record<string, Layer>> = {
  "src/events": { mayImport: [] },
  "src/commands": { mayImport: ["src/events"] },
  "src/projections": { mayImport: ["src/events"] },
  "src/log": { mayImport: ["src/events"] },
  "src/queries": {
    mayImport: ["src/events", "src/log", "src/projections", "src/errors.ts"],
    mayImportTypes: ["src/types.ts"],
  },
  "src/effects": {
    mayImport: ["src/events", "src/commands", "src/engine/ports"],
    mayImportTypes: ["src/projections"],
  },
  "src/engine": {
    mayImport: [
      "src/events",
      "src/commands",
      "src/log",
      "src/projections",
      "src/queries",
      "src/effects",
      "src/errors.ts",
      "src/input",
      "drizzle",
    ],
    mayImportTypes: ["src/types.ts"],
  },
  "src/overrides.ts": { mayImport: [] },
  "src/defined.ts": { mayImport: [] },
  "src/errors.ts": { mayImport: [], mayImportTypes: ["src/types.ts"] },
  "src/input": { mayImport: ["src/errors.ts", "src/defined.ts"], mayImportTypes: ["src/types.ts", "src/queries"] },
  "src/rpc-types.ts": { mayImport: [] },
  "src/types.ts": { mayImport: [], mayImportTypes: [...core, "src/rpc-types.ts"] },
  "src/turn": { mayImport: core },
  "src/conversation": { mayImport: core },
  "src/schedule": { mayImport: core },
  "src/wire": { mayImport: core },
  // Bundled into Workers that need not have the agent in them: so nothing of the engine.
  "src/workflows": {
    mayImport: ["src/errors.ts", "src/input"],
    mayImportTypes: ["src/types.ts", "src/events", "src/think.ts"],
  },
  "src/think": { mayImport: [...core, "src/wire"] },
  "src/think.ts": { mayImport: [...core, "src/think", "src/overrides.ts", "src/wire", "src/workflows"] },
  "src/index.ts": { mayImport: [...core, "src/wire", "src/think.ts"] },
  "src/testing": { mayImport: [...core, "src/wire", "src/workflows", "src/think.ts", "src/index.ts"] },
  "src/cli": { mayImport: [], mayImportTypes: core },
  demo: { mayImport: ["src/index.ts", "src/workflows/index.ts"] },
};

/** `src/events/turn.ts` → `src/events`; `src/think.ts` → itself; `demo/ui/app.tsx` → `demo`. */
export function layerOf(path: string): string {
  const [top, second] = path.split("/");
  return top === "src" && second ? `src/${second}` : (top ?? path);
}

export function checkLayers(module: Module): Problem[] {
  const own = layerOf(module.path);
  const layer = layers[own];
  if (!layer) return [problem(module, 0, `${own} has no layer; give it one in scripts/architecture/layers.ts`)];
  return module.imports.flatMap((entry) => {
    const refusal = refuse(own, layer, entry);
    return refusal ? [problem(module, entry.start, refusal)] : [];
  });
}

function refuse(own: string, layer: Layer, { specifier, target, typeOnly }: Import): string | undefined {
  if (target === undefined) return undefined;
  if (!/\.(ts|tsx|js|json|sql|css|svg)$/.test(target)) return `"${specifier}" needs its file extension`;
  const allowed = (name: string) => isIn(target, name);
  if (layerOf(target) === own || layer.mayImport.some(allowed)) return undefined;
  if (!layer.mayImportTypes?.some(allowed)) return `${own} must not import ${target}`;
  return typeOnly ? undefined : `${own} may import only types from ${target}`;
}

/** `src/engine/ports` names both the file `ports.ts` and the folder `ports/`. */
function isIn(target: string, name: string): boolean {
  return target === name || target === `${name}.ts` || target.startsWith(`${name}/`);
}
