// Checks the log's hash chain on demand. The answer is about the log as it was then, so it says at which position.
import { useState } from "react";
import { type Api, asFailure, type LogVerification } from "../api.ts";

type Check = { kind: "checked"; result: LogVerification } | { kind: "failed"; message: string };

export function VerifyLog({ api, head }: { api: Api; head: number }) {
  const [check, setCheck] = useState<Check>();
  const [busy, setBusy] = useState(false);

  async function verify() {
    setBusy(true);
    try {
      setCheck({ kind: "checked", result: await api.verify() });
    } catch (error) {
      setCheck({ kind: "failed", message: asFailure(error).message });
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <button type="button" aria-disabled={busy} onClick={() => !busy && void verify()}>
        Verify log
      </button>
      <p className="verification" role="status">
        {check?.kind === "failed" && <span className="field-error">✕ Not verified. {check.message}</span>}
        {check?.kind === "checked" && <Verdict result={check.result} newer={head - check.result.events} />}
      </p>
    </>
  );
}

function Verdict({ result: { ok, events, head, firstDivergence }, newer }: { result: LogVerification; newer: number }) {
  if (!ok) {
    return (
      <span className="field-error">
        ✕ The chain breaks{firstDivergence && ` at #${firstDivergence.position}: ${firstDivergence.reason}`}
      </span>
    );
  }
  return (
    <span className="good">
      ✓ {events} events, chain intact{newer > 0 && <span className="hint"> ({newer} newer since)</span>}
      <span className="mono head">head {head}</span>
    </span>
  );
}
