import { defined } from "../defined.ts";
import type { streamText, ToolSet } from "./ai-sdk.ts";
import type { TurnConfig } from "./hook-types.ts";

type Settings = Partial<Omit<Parameters<typeof streamText<ToolSet>>[0], "model" | "prompt" | "messages">>;

/** The overrides that the AI SDK takes as they are. */
export function passedThrough(config: TurnConfig): Settings {
  const telemetry = config.telemetry ?? config.experimental_telemetry;
  return {
    ...given(config, [
      "activeTools",
      "toolChoice",
      "maxOutputTokens",
      "temperature",
      "topP",
      "topK",
      "presencePenalty",
      "frequencyPenalty",
      "stopSequences",
      "seed",
      "maxRetries",
      "timeout",
      "headers",
      "providerOptions",
      "experimental_transform",
      "repairToolCall",
      "output",
    ]),
    ...(telemetry && { telemetry }),
  } as Settings;
}

const given = (config: TurnConfig, names: readonly (keyof TurnConfig)[]) =>
  defined(Object.fromEntries(names.map((name) => [name, config[name]])));
