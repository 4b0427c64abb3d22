// The package under the name `@cloudflare/think`, as an application that moves over has it.
import { Think } from "@cloudflare/think";
import type { SubmitMessagesResult, ThinkSubmissionInspection } from "@cloudflare/think";
import * as testing from "@cloudflare/think/testing";
import * as workflows from "@cloudflare/think/workflows";
import type { LanguageModel } from "ai";

export class Moved extends Think<Cloudflare.Env> {
  engine = "mine";
  log: string[] = [];
  session2 = null;
  queue2 = 0;

  override getModel(): LanguageModel {
    return "provider/model";
  }

  async ask(text: string): Promise<ThinkSubmissionInspection | null> {
    const parts = [{ type: "text" as const, text }];
    const receipt: SubmitMessagesResult = await this.submitMessages([{ id: "1", role: "user", parts }]);
    // @ts-expect-error - a submission id is a string
    await this.inspectSubmission(7);
    return this.inspectSubmission(receipt.submissionId);
  }
}

export const entries = [testing, workflows];
