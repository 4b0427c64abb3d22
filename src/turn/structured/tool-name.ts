import type { ToolSet } from "../ai-sdk.ts";

/** The tool whose call is the answer of a structured turn. */
const FINAL_ANSWER = "think_final_answer";
const NUMBERED = new RegExp(`^${FINAL_ANSWER}_\\d+$`);

/** Is it the name of such a tool, or one that looks like it? Its calls are left out of the conversation. */
export const isFinalAnswer = (toolName: string): boolean =>
  toolName === FINAL_ANSWER || toolName.startsWith(`${FINAL_ANSWER}_`);

/** The plain name, or where an agent has a tool of that name, the first number after it that is free. */
export function freeToolName(tools: ToolSet): string {
  let name = FINAL_ANSWER;
  for (let number = 1; Object.hasOwn(tools, name); number += 1) name = `${FINAL_ANSWER}_${number}`;
  return name;
}

/** @throws when a tool has a name that nobody needs and that would cost it its place in the conversation. */
export function checkToolNames(tools: ToolSet): void {
  for (const name of Object.keys(tools)) {
    if (!name.startsWith(`${FINAL_ANSWER}_`) || NUMBERED.test(name)) continue;
    throw new TypeError(
      `A tool must not be named "${name}": calls of tools named ${FINAL_ANSWER}_… are left out of the conversation`,
    );
  }
}
