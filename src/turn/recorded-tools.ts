import type { Tool, ToolSet } from "./ai-sdk.ts";

/** Called before a server tool runs. */
export type BeforeTool = (call: { toolCallId: string; toolName: string }) => void;

/** The tools with a record made before each run. Tools without `execute` run elsewhere and stay as they are. */
export function recordedTools(tools: ToolSet, before: BeforeTool): ToolSet {
  return Object.fromEntries(
    Object.entries(tools).map(([toolName, tool]) => [toolName, recorded(toolName, tool, before)]),
  );
}

function recorded(toolName: string, tool: ToolSet[string], before: BeforeTool): ToolSet[string] {
  const { execute } = tool;
  if (!execute) return tool;
  const wrapped: NonNullable<Tool["execute"]> = (input, options) => {
    before({ toolCallId: options.toolCallId, toolName });
    return execute.call(tool, input, options);
  };
  return { ...tool, execute: wrapped } as ToolSet[string];
}
