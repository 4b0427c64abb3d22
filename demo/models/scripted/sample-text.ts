// A text that fits a JSON schema of strings: a fixed one for a format, else what there is to say, as long as it may be.
import type { Schema } from "./sample.ts";

const FORMATS: Record<string, string> = {
  "date-time": "2026-01-01T00:00:00Z",
  date: "2026-01-01",
  time: "00:00:00Z",
  email: "someone@example.com",
  uri: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
};

const USUAL = 120;

export function textFor({ format, minLength = 0, maxLength = USUAL }: Schema, text: string): string {
  const fixed = FORMATS[format ?? ""];
  if (fixed !== undefined) return fixed;
  const said = text.trim().replace(/\s+/g, " ") || "nothing";
  const cut = said.length > maxLength ? `${said.slice(0, Math.max(maxLength - 1, 0))}…`.slice(0, maxLength) : said;
  return cut.padEnd(minLength, ".");
}
