// Nothing awaits inside a transaction (rule 4): the Durable Object does not roll an async callback back.
import type { ESTree } from "vite";
import { type Module, type Problem, problem, visit } from "./module.ts";

const openers = new Set(["transactionSync", "transaction"]);

export function checkTransactions(module: Module): Problem[] {
  const problems: Problem[] = [];
  const asyncNames = namesOfAsyncFunctions(module);
  visit(module, {
    CallExpression({ callee, arguments: args }) {
      if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
      const opener = callee.property.name;
      if (!openers.has(opener)) return;
      for (const argument of args) {
        const named = argument.type === "Identifier" && asyncNames.has(argument.name);
        if (named || isAsync(argument)) {
          problems.push(problem(module, argument.start, `async callback in ${opener}(): it would not roll back`));
        }
      }
    },
  });
  return problems;
}

function namesOfAsyncFunctions(module: Module): Set<string> {
  const names = new Set<string>();
  visit(module, {
    FunctionDeclaration: (node) => void (node.async && node.id && names.add(node.id.name)),
    VariableDeclarator: ({ id, init }) => void (id.type === "Identifier" && isAsync(init) && names.add(id.name)),
  });
  return names;
}

function isAsync(node: ESTree.Node | null): boolean {
  return (node?.type === "ArrowFunctionExpression" || node?.type === "FunctionExpression") && node.async;
}
