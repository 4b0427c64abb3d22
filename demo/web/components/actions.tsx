// What can be done with a submission: say it again, cancel it while it is active, delete it when it has ended.
import { useState } from "react";
import { type Api, asFailure, type Submission } from "../api.ts";
import { isActive } from "../live/poller.ts";
import { Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";
import type { Outcome, Report } from "./outcome.tsx";

type Props = {
  api: Api;
  submission: Submission;
  prompt: string | undefined;
  report: Report;
  /** The submission is gone, and these buttons with it: the focus needs another place. */
  onRemoved: () => void;
};

export function Actions({ api, submission, prompt, report, onRemoved }: Props) {
  const [asking, setAsking] = useState<"cancel" | "delete">();
  const [reason, setReason] = useState("");
  const { submissionId, idempotencyKey } = submission;

  const perform = async (name: string, work: () => Promise<Outcome>) => {
    report(undefined);
    try {
      report(await work());
    } catch (error) {
      report({ kind: "failed", message: `${name}: ${asFailure(error).message}` });
    }
  };
  const retry = async (text: string): Promise<Outcome> => {
    const same = idempotencyKey === undefined ? { submissionId } : { idempotencyKey };
    return { kind: "receipt", receipt: await api.submit({ text, ...same }) };
  };
  const cancel = async (): Promise<Outcome> => {
    const result = await api.cancel(submissionId, reason.trim());
    if (result.outcome !== "cancelled") return { kind: "done", message: "It had ended already; nothing changed." };
    const words = result.messagesApplied
      ? "Its prompt stays in the conversation."
      : "Its prompt never entered the conversation.";
    return { kind: "done", message: `Cancelled; it was ${result.previousStatus}. ${words}` };
  };
  const remove = async (): Promise<Outcome> => {
    await api.remove(submissionId);
    onRemoved();
    return {
      kind: "done",
      message: "Deleted from the ledger: its id and key are free again. Its events stay in the log.",
    };
  };

  return (
    <div className="row actions">
      <button
        type="button"
        disabled={prompt === undefined}
        aria-describedby="retry-hint"
        onClick={() => prompt !== undefined && void perform("Retry", () => retry(prompt))}
      >
        Retry with the same {idempotencyKey === undefined ? "id" : "key"}
      </button>
      {isActive(submission) ? (
        <button type="button" className="danger" onClick={() => setAsking("cancel")}>
          Cancel …
        </button>
      ) : (
        <button type="button" className="danger" onClick={() => setAsking("delete")}>
          Delete …
        </button>
      )}
      <p className="hint" id="retry-hint">
        {prompt === undefined && "No retry: its text is not known (any more)."}
      </p>
      {asking === "cancel" && (
        <Dialog
          title="Cancel this submission?"
          confirm="Cancel the submission"
          onConfirm={() => void perform("Cancel", cancel)}
          onClose={() => setAsking(undefined)}
        >
          <Field id="reason" label="Reason" hint="optional">
            {(props) => (
              <input {...props} value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
            )}
          </Field>
        </Dialog>
      )}
      {asking === "delete" && (
        <Dialog
          title="Delete this submission?"
          confirm="Delete the submission"
          onConfirm={() => void perform("Delete", remove)}
          onClose={() => setAsking(undefined)}
        >
          <p>
            Its text is erased and its id and key are free again. Its events stay in the log, its messages in the
            conversation.
          </p>
        </Dialog>
      )}
    </div>
  );
}
