/** Joins the samples with the acceptance targets of gates.json: one line of the report for each row. */
import { median, summary } from "./stats.mjs";

/** `ratio` is ours ÷ theirs, the median over the rounds, as both run side by side within a round. */
export function evaluate({ scenarios, samples, gates }) {
  const gateOf = new Map(gates.map((gate) => [gate.row, gate]));
  return scenarios.flatMap(([number, scenario]) =>
    Object.entries(scenario.rows).map(([key, label]) => {
      const row = `${number}.${key}`;
      const measured = samples[row];
      const target = measured.target && summary(measured.target);
      const ours = measured.ours && summary(measured.ours);
      const gate = gateOf.get(row);
      const ratio =
        target?.median > 0 && ours?.median !== undefined
          ? median(measured.ours.map((value, i) => value / measured.target[i]))
          : undefined;
      return {
        row,
        label,
        target,
        ours,
        ratio,
        issue: gate?.issue,
        gate: gate && gateText(gate),
        pass: gate && verdict(gate, ours, ratio),
      };
    }),
  );
}

function gateText({ max, maxRatio, minRatio }) {
  if (max !== undefined) return `≤ ${max}`;
  return maxRatio !== undefined ? `≤ ${maxRatio}×` : `≥ ${minRatio}×`;
}

/** `undefined` when this run cannot tell. */
function verdict({ max, maxRatio, minRatio }, ours, ratio) {
  if (ours === undefined) return undefined;
  if (ours === "failed") return false;
  if (max !== undefined) return ours.median <= max;
  if (ratio === undefined) return undefined;
  return maxRatio !== undefined ? ratio <= maxRatio : ratio >= minRatio;
}
