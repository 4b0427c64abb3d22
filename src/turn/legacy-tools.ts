import { warn } from "../engine/console.ts";

/** `chat()` once took tools. They are ignored, which nobody should have to find out by themselves. */
export function warnOfLegacyTools(options: object): void {
  const { tools } = options as { tools?: unknown };
  if (typeof tools !== "object" || tools === null || Object.keys(tools).length === 0) return;
  warn("chat() no longer accepts options.tools: declare them in getTools(), or pass clientTools");
}
