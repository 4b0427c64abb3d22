// A value as JSON for reading: what fits on a line stays on one, and keys are set apart from values.
import { createContext, type ReactNode, useContext } from "react";

/** How many characters fit on a line. */
export const LineWidth = createContext(52);

export function Json({ value }: { value: unknown }) {
  return <pre>{render(value, { indent: "", used: 0, width: useContext(LineWidth) })}</pre>;
}

/** `used` is what the line holds already, and what must follow on it. */
type Line = { indent: string; used: number; width: number };

function render(value: unknown, { indent, used, width }: Line): ReactNode {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value);
  const isList = Array.isArray(value);
  if (entries.length === 0) return isList ? "[]" : "{}";

  const inner = `${indent}  `;
  const fits = used + onOneLine(value).length <= width;
  const [open, between, close] = fits ? [" ", ", ", " "] : [`\n${inner}`, `,\n${inner}`, `\n${indent}`];
  return (
    <>
      {isList ? "[" : "{"}
      {open}
      {entries.map(([key, member], index) => (
        <span key={key}>
          {index > 0 && between}
          {!isList && <span className="json-key">{JSON.stringify(key)}: </span>}
          {render(member, {
            indent: inner,
            // A value that fits fits with all its members, wherever they are on the line.
            used: fits ? 0 : inner.length + (isList ? 0 : JSON.stringify(key).length + 2) + 1,
            width,
          })}
        </span>
      ))}
      {close}
      {isList ? "]" : "}"}
    </>
  );
}

function onOneLine(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[ ${value.map(onOneLine).join(", ")} ]`;
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${onOneLine(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
