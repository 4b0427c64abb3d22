import { checkWorkflowPrompt, type WorkflowPrompt } from "../input/workflow-prompt.ts";
import { causeOf } from "./cause.ts";
import { engineOf } from "./internals.ts";
import { ThinkSubmissions } from "./submissions.ts";

/** Prompts that workflows wait for, and the notifications they wait for them with. */
export abstract class ThinkWorkflows<
  Env extends Cloudflare.Env = Cloudflare.Env,
  State = unknown,
  Props extends Record<string, unknown> = Record<string, unknown>,
> extends ThinkSubmissions<Env, State, Props> {
  /**
   * The way in of `step.prompt()`: a submission whose outcome is sent to the workflow. Over RPC only, so that no
   * client can name a workflow that is not its own.
   *
   * @internal
   * @throws {ThinkInputError} naming the field, when the prompt is not acceptable.
   */
  async _thinklog_submitPrompt(request: WorkflowPrompt): Promise<{ submissionId: string }> {
    const input = checkWorkflowPrompt(request, crypto.randomUUID());
    const { submissionId } = await engineOf(this).acceptance.accept(input, causeOf(this), false);
    return { submissionId };
  }
}
