// ‹ 2/3 ›: which of an answer's siblings is looked at.
type Props = { ids: string[]; id: string; onChoose: (id: string) => void };

export function BranchPicker({ ids, id, onChoose }: Props) {
  const at = ids.indexOf(id);
  const step = (by: number, label: string, glyph: string) => {
    const next = ids[at + by];
    return (
      <button
        type="button"
        aria-label={label}
        disabled={next === undefined}
        onClick={() => next !== undefined && onChoose(next)}
      >
        {glyph}
      </button>
    );
  };
  return (
    <div className="row" role="group" aria-label="Answers to the same question">
      {step(-1, "Answer before", "‹")}
      <span className="mono">
        {at + 1}/{ids.length}
      </span>
      {step(1, "Answer after", "›")}
    </div>
  );
}
