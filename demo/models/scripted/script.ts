// The script: from what the user asked to what the model will do, as data. Pure, so that the behaviour of the
// demo can be read in one screen. Words in the prompt choose the scene.
import type { Conversation } from "./conversation.ts";
import { LONG_ANSWER } from "./long-answer.ts";
import { sampleOf } from "./sample.ts";

/** One thing the model does. A script is a list of them. */
export type Beat =
  | { kind: "say"; text: string }
  | { kind: "think"; text: string; ms: number }
  | { kind: "call"; tool: string; input: unknown }
  | { kind: "stall" }
  | { kind: "fail"; message: string };

/** A structured turn has this tool; its input is the answer. */
const FINAL_ANSWER = "think_final_answer";
const COUNT_TO = 10;
const THINK_MS = 10_000;
const ARITHMETIC = /\d[\d.]*(?:\s*[-+*/]\s*\d[\d.]*)+/;

export function writeScript(conversation: Conversation): Beat[] {
  const { prompt, toolResults, tools } = conversation;
  if (toolResults.length > 0) {
    return answer(
      conversation,
      toolResults.map((result) => narrate(result)),
    );
  }
  if (/\bstall/i.test(prompt)) return [{ kind: "stall" }];
  if (/\bfail\b/i.test(prompt)) {
    return [
      { kind: "say", text: "I begin to answer, and then " },
      { kind: "fail", message: "The scripted model was told to fail." },
    ];
  }
  if (/\bthink long/i.test(prompt)) {
    return [
      { kind: "think", text: "Turning the question over, slowly and from every side.", ms: THINK_MS },
      ...answer(conversation, ["I have thought about it for ten seconds, and my answer is yes."]),
    ];
  }
  if (/\blong answer/i.test(prompt)) return answer(conversation, [LONG_ANSWER]);
  if (/\btime zone/i.test(prompt) && tools.has("getTimeZone")) {
    return [{ kind: "call", tool: "getTimeZone", input: {} }];
  }
  if (/\bpostcard/i.test(prompt) && tools.has("sendPostcard")) {
    const input = { to: receiverIn(prompt), text: "Greetings from the log!" };
    return [{ kind: "call", tool: "sendPostcard", input }];
  }
  if (/\bslow tool/i.test(prompt) && tools.has("count_slowly")) {
    return [{ kind: "call", tool: "count_slowly", input: { to: COUNT_TO } }];
  }
  if (/\bweather\b/i.test(prompt) && tools.has("weather")) {
    return [{ kind: "call", tool: "weather", input: { city: cityIn(prompt) } }];
  }
  const expression = ARITHMETIC.exec(prompt)?.[0];
  if (expression && tools.has("calculate")) return [{ kind: "call", tool: "calculate", input: { expression } }];

  return answer(conversation, [
    tools.has(FINAL_ANSWER) ? "I read it, and fill in what is asked for." : greeting(prompt),
  ]);
}

/** What it says, and in a structured turn, what it then answers with. */
function answer({ prompt, tools }: Conversation, texts: string[]): Beat[] {
  const said = texts.map((text): Beat => ({ kind: "say", text }));
  const schema = tools.get(FINAL_ANSWER);
  return schema ? [...said, { kind: "call", tool: FINAL_ANSWER, input: sampleOf(schema, aboutIn(prompt)) }] : said;
}

/** A workflow's prompt says what to do; its last paragraph is what to do it with. */
const aboutIn = (prompt: string): string =>
  prompt
    .trim()
    .split(/\n\s*\n/)
    .at(-1) ?? prompt;

/** "weather in São Paulo tomorrow?" → "São Paulo": the capitalised words after "in", "at" or "for". */
function cityIn(prompt: string): string {
  const match = /\b(?:in|at|for)\s+(\p{Lu}[\p{L}'-]*(?:\s+\p{Lu}[\p{L}'-]*)*)/u.exec(prompt);
  return match?.[1] ?? "Lisbon";
}

/** "Send a postcard to Ada" → "Ada". */
function receiverIn(prompt: string): string {
  return /\bto\s+(\p{Lu}[\p{L}'-]*)/u.exec(prompt)?.[1] ?? "Grandmother";
}

function narrate({ tool, output }: { tool: string; output: string }): string {
  return `According to the ${tool} tool: ${output} `;
}

function greeting(prompt: string): string {
  return (
    `You wrote ${prompt.length} characters. I am a script that needs no network: ask me about the weather in a ` +
    `city or for a sum such as 12 * 7, or tell me to fail, to stall, to think long or to use the slow tool.`
  );
}
