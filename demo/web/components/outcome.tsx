// What the last action led to. A live region, so that a screen reader says it too.
import type { Receipt } from "../api.ts";
import { clock } from "../format.ts";
import { StatusMark } from "./status-mark.tsx";

export type Outcome =
  | { kind: "receipt"; receipt: Receipt }
  | { kind: "done"; message: string }
  | { kind: "failed"; message: string };

/** A new attempt reports `undefined` first: what an earlier one led to must not be taken for its outcome. */
export type Report = (outcome: Outcome | undefined) => void;

export function OutcomeBox({ outcome }: { outcome: Outcome | undefined }) {
  return (
    <section className="outcome" aria-label="Outcome of the last action">
      <div role="status" aria-live="polite">
        {outcome?.kind === "receipt" && <ReceiptCard receipt={outcome.receipt} />}
        {outcome?.kind === "done" && <p className="note">{outcome.message}</p>}
      </div>
      <div role="alert">{outcome?.kind === "failed" && <p className="note failed">{outcome.message}</p>}</div>
    </section>
  );
}

function ReceiptCard({ receipt }: { receipt: Receipt }) {
  return (
    <div className="receipt">
      <p className="receipt-head">
        <strong>{receipt.accepted ? "Accepted" : "Already known"}</strong>
        <span>
          {receipt.accepted ? "a new submission" : "this is the first submission’s record; nothing new was made"}
        </span>
      </p>
      {receipt.payloadMismatch && (
        <p className="note failed">The first submission under this key had another text. The new text was ignored.</p>
      )}
      <dl>
        <dt>Id</dt>
        <dd className="mono">{receipt.submissionId}</dd>
        {receipt.idempotencyKey !== undefined && (
          <>
            <dt>Key</dt>
            <dd className="mono">{receipt.idempotencyKey}</dd>
          </>
        )}
        <dt>State then</dt>
        <dd>
          <StatusMark status={receipt.status} />
        </dd>
        <dt>Accepted at</dt>
        <dd className="mono">{clock(receipt.createdAt)}</dd>
      </dl>
    </div>
  );
}
