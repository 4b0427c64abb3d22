// A tool for the four operations. A tiny parser, not `eval`: the expression comes from a model.
import { tool } from "ai";
import { z } from "zod";

export const calculate = tool({
  description: "Work out a sum of numbers with + - * and /, for example 12 * 7 - 3.",
  inputSchema: z.object({ expression: z.string().min(1).max(200) }),
  execute: ({ expression }) => {
    const value = evaluate(expression);
    return { expression, value, summary: `${expression} = ${value}.` };
  },
});

/** Products bind stronger than sums: work out each product first, then add them up. */
export function evaluate(expression: string): number {
  const tokens = expression.match(/\d+(?:\.\d+)?|\S/g) ?? [];
  const unreadable = () => new Error(`Cannot work out "${expression}"`);

  const number = () => {
    const value = Number(tokens.shift());
    if (Number.isNaN(value)) throw unreadable();
    return value;
  };
  const product = () => {
    let value = number();
    while (tokens[0] === "*" || tokens[0] === "/") value = tokens.shift() === "*" ? value * number() : value / number();
    return value;
  };
  let total = product();
  while (tokens[0] === "+" || tokens[0] === "-") total += tokens.shift() === "+" ? product() : -product();
  if (tokens.length > 0) throw unreadable();
  return total;
}
