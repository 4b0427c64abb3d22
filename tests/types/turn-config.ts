/** What hooks return: every piece alone, and members that may be undefined as callers often have them. */
import { isStepCount, jsonSchema, Output, tool } from "ai";
import { z } from "zod";
import type { StepConfig, ToolCallDecision, TurnConfig } from "../../src/index.ts";

declare const maybe: { text?: string; count?: number; flag?: boolean };

export const pieces: TurnConfig[] = [
  {},
  { model: "openai/gpt-5.5" },
  { instructions: "Be brief." },
  { messages: [{ role: "user", content: "Hello" }] },
  { tools: { now: tool({ inputSchema: jsonSchema({ type: "object" }), execute: () => Date.now() }) } },
  { activeTools: [] },
  { activeTools: ["now"], toolChoice: "required" },
  { toolChoice: { type: "tool", toolName: "now" } },
  { maxSteps: 3, stopWhen: [isStepCount(2), ({ steps }) => steps.length > 1] },
  { sendReasoning: false, maxOutputTokens: 100, temperature: 0, topP: 1, topK: 5, seed: 7, maxRetries: 0 },
  { timeout: 1000, headers: { "x-tenant": "one" }, providerOptions: { openai: { user: "u1" } } },
  { output: Output.object({ schema: z.object({ title: z.string() }) }) },
  { output: Output.choice({ options: ["yes", "no"] }) },
  { messageMetadata: ({ part, continuation }) => ({ type: part.type, continuation }) },
  { instructions: maybe.text, maxSteps: maybe.count, sendReasoning: maybe.flag },
];

export const steps: StepConfig[] = [{}, { model: "openai/gpt-5.5" }, { activeTools: [] }, { toolChoice: "auto" }];

export const decisions: ToolCallDecision[] = [
  { action: "allow" },
  { action: "allow", input: { city: "Lisbon" } },
  { action: "block" },
  { action: "block", reason: maybe.text },
  { action: "substitute", output: { degrees: 1 } },
  // @ts-expect-error - a substitute without its output
  { action: "substitute" },
];
