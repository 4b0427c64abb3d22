/** Medians and spreads of small samples. */

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** `"failed"` when a round has no number. */
export function summary(values) {
  if (values.includes(undefined)) return "failed";
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}
