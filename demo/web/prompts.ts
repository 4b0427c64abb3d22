// What a submission asked. The ledger does not keep it: this browser remembers what it sent, and for the others the
// conversation tells once the answer is there.
import type { Submission, UIMessage } from "./api.ts";

const KEY = "thinklog.prompts";
const KEPT = 200;

type Prompts = Record<string, string>;

export function rememberPrompt(submissionId: string, text: string): void {
  const entries = Object.entries({ ...readPrompts(), [submissionId]: text }).slice(-KEPT);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(entries)));
  } catch {
    // Storage is full or forbidden: the table then shows the id alone.
  }
}

/** The prompts that are known, by submission id. */
export function promptsOf(submissions: Submission[], messages: UIMessage[]): Map<string, string> {
  const remembered = readPrompts();
  const known = new Map<string, string>();
  for (const { submissionId, messageId } of submissions) {
    const prompt = remembered[submissionId] ?? questionBefore(messageId, messages);
    if (prompt !== undefined) known.set(submissionId, prompt);
  }
  return known;
}

function questionBefore(answerId: string | undefined, messages: UIMessage[]): string | undefined {
  const answer = messages.findIndex((message) => message.id === answerId);
  const question = messages.slice(0, Math.max(answer, 0)).findLast((message) => message.role === "user");
  return question && textOf(question);
}

export function textOf(message: UIMessage): string {
  return message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function readPrompts(): Prompts {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Prompts;
  } catch {
    return {};
  }
}
