// A table is written only by the layer that declares it: the event log by src/log, a projection by
// src/projections. Drizzle writes are recognised by the imported table, raw SQL by the table's name.
import type { ESTree } from "vite";
import { layerOf } from "./layers.ts";
import { type Module, type Problem, problem, visit } from "./module.ts";

const methods = new Set(["insert", "update", "delete"]);
const write = String.raw`\b(?:INSERT\s+(?:OR\s+\w+\s+)?INTO|REPLACE\s+INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM)\s+`;
const namedWrite = new RegExp(write + String.raw`["'\`[]?(thinklog_\w+)`, "gi");
const create = /\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?["'`[]?(thinklog_\w+)/gi;
/** A statement whose table comes from `${…}`. */
const computedWrite = new RegExp(write + String.raw`["'\`[]?$`, "i");

/** The layers that may name a table by a variable: they write their own shadow tables. */
const tableLayers = new Set(["src/log", "src/projections"]);

export function checkWrites(modules: ReadonlyMap<string, Module>): Problem[] {
  const all = [...modules.values()];
  // Drizzle's word is the last: a raw CREATE TABLE elsewhere takes no table away.
  const owners = new Map([...all.flatMap(createdTables), ...all.flatMap(declaredTables)]);
  return all.flatMap((module) => foreignWrites(module, owners));
}

/** What is there before the first migration. */
function createdTables(module: Module): [table: string, layer: string][] {
  return Array.from(module.text.matchAll(create), ([, table = ""]) => [table, layerOf(module.path)]);
}

function declaredTables(module: Module): [table: string, layer: string][] {
  const tables: [string, string][] = [];
  visit(module, {
    CallExpression({ callee, arguments: [name] }) {
      if (callee.type !== "Identifier" || callee.name !== "sqliteTable") return;
      if (name?.type === "Literal") tables.push([String(name.value), layerOf(module.path)]);
    },
  });
  return tables;
}

function foreignWrites(module: Module, owners: ReadonlyMap<string, string>): Problem[] {
  const problems: Problem[] = [];
  const own = layerOf(module.path);
  const declaring = new Set([...owners.values(), ...tableLayers]);
  const mayCompute = tableLayers.has(own);
  const report = (start: number, what: string) =>
    problems.push(problem(module, start, `${own} writes ${what}; only the layer that declares a table writes it`));

  const sql = (start: number, text: string) => {
    for (const [, table = ""] of text.matchAll(namedWrite)) {
      const owner = owners.get(table);
      if (owner === undefined ? !mayCompute : owner !== own) report(start, table);
    }
  };
  const ownerOf = (node: ESTree.Node): string | undefined => {
    const source = module.bindings.get(rootName(node) ?? "");
    return source === undefined ? undefined : layerOf(source);
  };

  visit(module, {
    CallExpression({ callee, arguments: [table], start }) {
      if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier" || !table) return;
      const method = callee.property.name;
      if (!methods.has(method)) return;
      const owner = ownerOf(table);
      const foreign = owner === undefined ? method === "insert" && !mayCompute : declaring.has(owner) && owner !== own;
      if (foreign) report(start, `with .${method}(${module.text.slice(table.start, table.end)})`);
    },
    Literal: (node) => void (typeof node.value === "string" && sql(node.start, node.value)),
    TemplateLiteral({ quasis, expressions }) {
      for (const [index, { value, start }] of quasis.entries()) {
        const text = value.cooked ?? value.raw;
        sql(start, text);
        const table = expressions[index];
        if (!table || !computedWrite.test(text)) continue;
        const owner = ownerOf(table);
        if (owner === undefined ? !mayCompute : owner !== own) report(table.start, "a table named by a variable");
      }
    },
  });
  return problems;
}

/** `tables.events` → `tables`. */
function rootName(node: ESTree.Node): string | undefined {
  if (node.type === "MemberExpression") return rootName(node.object);
  return node.type === "Identifier" ? node.name : undefined;
}
