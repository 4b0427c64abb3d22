/** Tool hooks that know the tools: input and output by the tool's name. */
import { tool } from "ai";
import { z } from "zod";
import { Think, type ToolCallContext, type ToolCallDecision, type ToolCallResultContext } from "../../src/index.ts";
import type { Equal, Expect, IsAny } from "./expect.ts";

const tools = {
  weather: tool({ inputSchema: z.object({ city: z.string() }), execute: async ({ city }) => ({ city, degrees: 21 }) }),
  dice: tool({ inputSchema: z.object({ sides: z.number() }), execute: ({ sides }) => sides }),
};

type Call = ToolCallContext<typeof tools>;
type Result = ToolCallResultContext<typeof tools>;
type WeatherResult = Extract<Result, { toolName: "weather"; success: true }>;

export type Cases = [
  Expect<Equal<Extract<Call, { toolName: "weather" }>["input"], { city: string }>>,
  Expect<Equal<WeatherResult["output"], { city: string; degrees: number }>>,
  Expect<Equal<WeatherResult["durationMs"], number>>,
  Expect<Equal<Extract<Result, { toolName: "dice"; success: true }>["output"], number>>,
  Expect<Equal<Extract<ToolCallResultContext, { success: true }>["output"], unknown>>,
  Expect<Equal<IsAny<ToolCallContext["toolName"]>, false>>,
];

export class Forecaster extends Think {
  override getTools() {
    return tools;
  }

  override beforeToolCall(call: ToolCallContext<typeof tools>): ToolCallDecision | void {
    if (call.toolName === "weather") {
      const city: string = call.input.city;
      return { action: "substitute", output: { city, degrees: 0 } };
    }
    // @ts-expect-error - the only tool that is left has no city
    return { action: "block", reason: call.input.city };
  }

  override afterToolCall(call: ToolCallResultContext<typeof tools>): void {
    if (call.success && call.toolName === "dice") call.output.toFixed(2);
  }
}
