// A state as a shape, a word and a colour: the first two are enough.
import type { Submission } from "../api.ts";

const MARKS: Record<Submission["status"], string> = {
  pending: "○",
  running: "◐",
  completed: "✓",
  aborted: "⊘",
  skipped: "»",
  error: "✕",
};

export function StatusMark({ status }: { status: Submission["status"] }) {
  return (
    <span className={`status ${status}`}>
      <span className="glyph" aria-hidden="true">
        {MARKS[status]}
      </span>
      {status}
    </span>
  );
}
