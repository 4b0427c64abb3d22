import type { UIMessage } from "ai";
import type { RunTurnOptions, RunTurnStream, RunTurnSubmit, RunTurnWait, TurnInputMessages } from "../types.ts";

const MODES: readonly unknown[] = ["wait", "submit", "stream"];

/** What `runTurn` is to do, its arguments checked. */
type CheckedRunTurn =
  | { readonly mode: "wait"; readonly options: RunTurnWait }
  | { readonly mode: "submit"; readonly options: RunTurnSubmit; readonly messages: UIMessage[] }
  | { readonly mode: "stream"; readonly options: RunTurnStream };

/** @throws {TypeError} with the texts of the API; in its order, because callers may match them. */
export function checkRunTurn(options: RunTurnOptions): CheckedRunTurn {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new TypeError("runTurn: options must be an object");
  }
  const mode = options.mode ?? "wait";
  if (!MODES.includes(mode)) throw new TypeError('runTurn: mode must be "wait", "submit", or "stream"');
  if (options.mode === "submit" || options.mode === "stream") return checkInput(options);
  const continuation = options.continuation === true;
  if (continuation && options.input !== undefined) {
    throw new TypeError("runTurn: supply either input or continuation: true, not both");
  }
  if (!continuation && options.input === undefined) {
    throw new TypeError("runTurn: supply either input or continuation: true");
  }
  return { mode: "wait", options };
}

function checkInput(options: RunTurnSubmit | RunTurnStream): CheckedRunTurn {
  if ("continuation" in options && options.continuation === true) {
    throw new TypeError('runTurn: continuation is only supported with mode: "wait"');
  }
  if (options.mode === "stream" && !options.callback) {
    throw new TypeError('runTurn: mode "stream" requires callback');
  }
  if (options.input === undefined) throw new TypeError(`runTurn: mode "${options.mode}" requires input`);
  if (options.mode === "stream") return { mode: "stream", options };
  if (typeof options.input === "function") {
    throw new Error('runTurn({ mode: "submit" }) does not support function input until _admitTurn (step 3)');
  }
  return { mode: "submit", options, messages: toMessages(options.input) };
}

/** Text, a message or messages as messages. Empty text is no message. */
export function toMessages(input: Exclude<TurnInputMessages, (...args: never[]) => unknown>): UIMessage[] {
  if (typeof input === "string") return input === "" ? [] : [textMessage(input)];
  return Array.isArray(input) ? input : [input];
}

/** A user message of one text part, under a fresh id. */
export const textMessage = (text: string): UIMessage => ({
  id: crypto.randomUUID(),
  role: "user",
  parts: [{ type: "text", text }],
});
