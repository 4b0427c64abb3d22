import type { Tool, ToolSet } from "./ai-sdk.ts";
import { assertJson } from "./as-json.ts";
import { isAsyncGenerator, settledOutput } from "./async-output.ts";
import { untilAborted } from "./guarded.ts";
import { type ExecuteOptions, ToolCallGate, type ToolPorts } from "./tool-call-gate.ts";

/** The tools with hooks and record around each run. Tools without `execute` run elsewhere and stay as they are. */
export const hookedTools = (tools: ToolSet, ports: ToolPorts): ToolSet =>
  Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, hooked(name, tool, ports)]));

type Convert = (output: unknown) => Promise<unknown>;
type Run<Output> = (input: unknown, options: ExecuteOptions) => Output;

function hooked(toolName: string, plain: ToolSet[string], ports: ToolPorts): ToolSet[string] {
  const tool = { ...plain, ...toModelOutput(plain, ports) } as ToolSet[string];
  const { execute } = tool;
  if (!execute) return tool;
  const run = execute.bind(tool) as Run<unknown>;
  const wrapped = isAsyncGenerator(execute)
    ? streamed(toolName, run as Run<AsyncIterable<unknown>>, ports)
    : settled(toolName, run, ports);
  return { ...tool, execute: wrapped as NonNullable<Tool["execute"]> } as ToolSet[string];
}

/** What the tool says to the model of an output must not keep a turn that is being ended. */
function toModelOutput(tool: ToolSet[string], { signal }: ToolPorts): Pick<ToolSet[string], "toModelOutput"> {
  const { toModelOutput } = tool;
  if (!toModelOutput) return {};
  const convert = toModelOutput.bind(tool) as Convert;
  const bounded: Convert = (output) => untilAborted(() => convert(output), signal);
  return { toModelOutput: bounded as typeof toModelOutput };
}

function settled(toolName: string, run: Run<unknown>, ports: ToolPorts): Run<Promise<unknown>> {
  return async (input, options) => {
    const gate = new ToolCallGate(ports, toolName, input, options);
    try {
      const decision = await gate.open();
      const output = decision.kind === "answered" ? decision.output : await settledOutput(run(decision.input, options));
      assertJson(toolName, output);
      await gate.succeeded(output);
      return output;
    } catch (error) {
      await gate.failed(error);
      throw error;
    }
  };
}

/** A generator's outputs are passed on as they come; the hook hears of the last. */
function streamed(toolName: string, run: Run<AsyncIterable<unknown>>, ports: ToolPorts): Run<AsyncGenerator<unknown>> {
  return async function* (input, options) {
    const gate = new ToolCallGate(ports, toolName, input, options);
    let last: unknown;
    try {
      const decision = await gate.open();
      const outputs = decision.kind === "answered" ? [decision.output] : run(decision.input, options);
      for await (const output of outputs) {
        assertJson(toolName, output);
        last = output;
        yield output;
      }
    } catch (error) {
      await gate.failed(error);
      throw error;
    }
    await gate.succeeded(last);
  };
}
