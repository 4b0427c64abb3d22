/** Prints the rows as a table, a heading for each scenario. */

export function printReport(scenarios, lines) {
  const table = [["", "target (min–max)", "ours (min–max)", "ours ÷ target", "issue's target", "gate", ""]];
  for (const [number, scenario] of scenarios) {
    table.push([`${number}  ${scenario.title}`]);
    for (const line of lines.filter(({ row }) => row.startsWith(`${number}.`))) table.push(cells(line));
  }
  const widths = table[0].map((_, column) =>
    Math.max(...table.filter((row) => row.length > 1).map((row) => row[column].length)),
  );
  for (const row of table) {
    console.log(
      row.length === 1
        ? `\n${row[0]}`
        : row.map((cell, column) => (column ? cell.padStart(widths[column]) : cell.padEnd(widths[0]))).join("  "),
    );
  }
}

function cells({ label, target, ours, ratio, issue, gate, pass }) {
  return [
    `   ${label}`,
    spread(target),
    spread(ours),
    ratio === undefined ? "" : `${ratio.toFixed(2)}×`,
    issue === undefined ? "" : number(issue),
    gate ?? "",
    pass === undefined ? "" : pass ? "pass" : "FAIL",
  ];
}

function spread(summary) {
  if (!summary) return "–";
  if (summary === "failed") return "failed";
  const { median, min, max } = summary;
  return min === max ? number(median) : `${number(median)} (${number(min)}–${number(max)})`;
}

/** Whole numbers whole, the others with as many digits as they can bear. */
function number(value) {
  if (Number.isInteger(value)) return value.toLocaleString("en");
  return value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 1 });
}
