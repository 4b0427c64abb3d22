// The agent of the demo: a model, a prompt, a few tools, and workflows. Everything durable about it is Think's.
//
// Its calls answer with a Reply, so that a refusal reaches both kinds of caller whole: the Worker's HTTP API over
// Durable Object RPC, and `useAgent` clients over their WebSocket.
import { callable } from "agents";
import type { ToolSet, UIMessage } from "ai";
import {
  type AuditLogOptions,
  type AuditLogPage,
  type CancelSubmissionResult,
  type ListSubmissionsOptions,
  type LogVerification,
  type SubmitMessagesOptions,
  type SubmitMessagesResult,
  type ThinkSubmissionInspection,
} from "../../src/index.ts";
import { chooseModel } from "../models/choose.ts";
import { promptText } from "./prompt-text.ts";
import { type Reply, refuse, reply } from "./reply.ts";
import { calculate } from "./tools/calculate.ts";
import { countSlowly } from "./tools/count-slowly.ts";
import { sendPostcard } from "./tools/send-postcard.ts";
import { weather } from "./tools/weather.ts";
import { AgentWithSchedules } from "./schedules.ts";

export class DemoAgent extends AgentWithSchedules {
  override getModel() {
    return chooseModel(this.env).model;
  }

  override getSystemPrompt(): string {
    return "You are a friendly assistant. Answer in a few sentences, and use your tools when they help.";
  }

  override getTools(): ToolSet {
    return { weather, calculate, count_slowly: countSlowly, sendPostcard };
  }

  @callable({ description: "Accept a prompt for later; answers with the receipt." })
  submit(text: string, options: SubmitMessagesOptions = {}): Promise<Reply<SubmitMessagesResult>> {
    const checked = promptText.safeParse(text);
    if (checked.error) {
      const message = `text ${checked.error.issues[0]?.message}`;
      return Promise.resolve(refuse({ code: "invalid-input", message, field: "text" }));
    }
    // A retry's message may have a new id: Think compares what is said.
    const message: UIMessage = { id: crypto.randomUUID(), role: "user", parts: [{ type: "text", text }] };
    return reply(() => this.submitMessages([message], options));
  }

  @callable({ description: "What is known of one submission; null when it is unknown." })
  inspect(submissionId: string): Promise<Reply<ThinkSubmissionInspection | null>> {
    return reply(() => this.inspectSubmission(submissionId));
  }

  @callable({ description: "Submissions, newest first." })
  list(options: ListSubmissionsOptions = {}): Promise<Reply<ThinkSubmissionInspection[]>> {
    return reply(() => this.listSubmissions(options));
  }

  @callable({ description: "Cancel a submission, waiting or running." })
  cancel(submissionId: string, reason?: string): Promise<Reply<CancelSubmissionResult>> {
    return reply(() => this.cancelSubmission(submissionId, reason));
  }

  async remove(submissionId: string): Promise<Reply<{ submissionId: string }>> {
    const removed = await reply(() => this.deleteSubmission(submissionId));
    if (!removed.ok) return removed;
    if (removed.value) return { ok: true, value: { submissionId } };

    const active = await this.inspectSubmission(submissionId);
    return active
      ? refuse({
          code: "submission-active",
          message: `Submission ${submissionId} is ${active.status}: cancel it first.`,
        })
      : refuse({ code: "submission-not-found", message: `There is no submission ${submissionId}.` });
  }

  audit(options: AuditLogOptions): Promise<Reply<AuditLogPage>> {
    return reply(() => this.auditLog(options));
  }

  payload(digest: string): Promise<Reply<unknown>> {
    return reply(() => this.auditPayload(digest));
  }

  verify(): Promise<Reply<LogVerification>> {
    return reply(() => this.verifyLog());
  }

  /** Ends the turn that runs, whoever started it; those that wait stay. */
  stop(): Promise<Reply<void>> {
    return reply(() => Promise.resolve(this.cancelAllChats()));
  }

  /** Ends what runs, skips what waits, empties the conversation. The log keeps all of it. */
  reset(): Promise<Reply<void>> {
    return reply(() => this.clearMessages());
  }

  transcript(): Promise<Reply<UIMessage[]>> {
    return reply(() => this.getMessages());
  }

  /** All answers, oldest first, of the questions that have more than one; by the question's id. */
  branches(): Promise<Reply<Record<string, UIMessage[]>>> {
    return reply(async () => {
      const questions = (await this.getMessages()).filter(({ role }) => role === "user");
      const found = await Promise.all(questions.map(({ id }) => this.session.getBranches(id)));
      const answers = found.map((below) => below.filter(({ role }) => role === "assistant") as UIMessage[]);
      const entries = questions.map(({ id }, index) => [id, answers[index] ?? []] as const);
      return Object.fromEntries(entries.filter(([, several]) => several.length > 1));
    });
  }
}
