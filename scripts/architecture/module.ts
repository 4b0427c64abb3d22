// One source file as the checks see it: its path, its syntax tree and its imports with their places.
// Parsing is oxc through Vite, because TypeScript 7 has no JavaScript API for import checkers to use.
import { posix } from "node:path";
import { type ESTree, parseSync, Visitor, type VisitorObject } from "vite";

/** A rule that does not hold, and where. */
export type Problem = { path: string; line: number; message: string };

export type Import = {
  /** As written. */
  specifier: string;
  /** The file of ours it names, or `undefined` for a package. */
  target: string | undefined;
  /** `import type` and `import("…")` in a type: gone when the program runs. */
  typeOnly: boolean;
  start: number;
};

export type Module = {
  path: string;
  text: string;
  imports: Import[];
  /** Local name → the file of ours it was imported from. */
  bindings: Map<string, string>;
  program: ESTree.Program;
};

export function parseModule(path: string, text: string): Module {
  const { program, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const module: Module = { path, text, imports: [], bindings: new Map(), program };

  const add = (source: ESTree.Node | null, typeOnly: boolean): string | undefined => {
    if (source?.type !== "Literal" || typeof source.value !== "string") return undefined;
    const specifier = source.value;
    const target = specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : undefined;
    module.imports.push({ specifier, target, typeOnly, start: source.start });
    return target;
  };

  visit(module, {
    ImportDeclaration(node) {
      const target = add(node.source, node.importKind === "type");
      if (target) for (const entry of node.specifiers) module.bindings.set(entry.local.name, target);
    },
    ExportNamedDeclaration: (node) => void add(node.source, node.exportKind === "type"),
    ExportAllDeclaration: (node) => void add(node.source, node.exportKind === "type"),
    ImportExpression: (node) => void add(node.source, false),
    TSImportType: (node) => void add(node.source, true),
  });
  return module;
}

export function visit(module: Module, visitor: VisitorObject): void {
  new Visitor(visitor).visit(module.program);
}

export function problem(module: Module, start: number, message: string): Problem {
  return { path: module.path, line: module.text.slice(0, start).split("\n").length, message };
}
