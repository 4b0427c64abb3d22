// A value as JSON for reading: what fits on a line stays on one, and keys are set apart from values.
import type { ReactNode } from "react";

const LINE = 52;

export function Json({ value }: { value: unknown }) {
  return <pre>{render(value, "", 0)}</pre>;
}

/** `used` is what the line holds already. */
function render(value: unknown, indent: string, used: number): ReactNode {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value);
  const isList = Array.isArray(value);
  if (entries.length === 0) return isList ? "[]" : "{}";

  const inner = `${indent}  `;
  const fits = JSON.stringify(value).length + used <= LINE;
  const [open, between, close] = fits ? [" ", ", ", " "] : [`\n${inner}`, `,\n${inner}`, `\n${indent}`];
  return (
    <>
      {isList ? "[" : "{"}
      {open}
      {entries.map(([key, member], index) => (
        <span key={key}>
          {index > 0 && between}
          {!isList && <span className="json-key">{JSON.stringify(key)}: </span>}
          {render(member, inner, inner.length + (isList ? 0 : key.length + 4))}
        </span>
      ))}
      {close}
      {isList ? "]" : "}"}
    </>
  );
}
