import { toJSONSchema, type ZodObject } from "zod";
import type { $ZodType } from "zod/v4/core";
import { ThinkInputError } from "../errors.ts";

/** The types of Zod 4 that it refuses to convert. All others that fail do so because of one of these inside. */
const TYPES: ReadonlySet<string> = new Set(
  "bigint custom date function literal map nan set symbol transform undefined void".split(" "),
);

type Path = readonly (string | number)[];

/** Zod says what it cannot convert, but not where that is. */
export function unrepresentable(output: ZodObject, cause: unknown): ThinkInputError {
  const words = cause instanceof Error ? cause.message : String(cause);
  const found = culprit(output);
  const field = found ? `output${pathOf(found.path)}` : "output";
  const message = found ? `${field} is of type ${found.type}: ${words}` : `${field}: ${words}`;
  return new ThinkInputError("unrepresentable", field, message, { cause });
}

function culprit(output: ZodObject): { readonly path: Path; readonly type: string } | undefined {
  const found: { path: Path; type: string }[] = [];
  try {
    toJSONSchema(output, {
      unrepresentable: "any",
      override: ({ zodSchema, path }) => {
        const { type } = zodSchema._zod.def;
        if (TYPES.has(type) && !converts(zodSchema)) found.push({ path: [...path], type });
      },
    });
  } catch {
    // A schema that cannot even be walked: it is named without a path.
  }
  return found[0];
}

function converts(schema: $ZodType): boolean {
  try {
    return toJSONSchema(schema) !== undefined;
  } catch {
    return false;
  }
}

/** `["properties", "list", "items", "anyOf", 1]`, a path in the JSON schema, is `.list[]` to whoever wrote the schema. */
function pathOf([keyword, ...rest]: Path): string {
  if (keyword === undefined) return "";
  const [member, ...deeper] = rest;
  if (keyword === "properties") return `.${String(member)}${pathOf(deeper)}`;
  if (keyword === "prefixItems") return `[${String(member)}]${pathOf(deeper)}`;
  if (keyword === "items" && typeof member !== "number") return `[]${pathOf(rest)}`;
  if (keyword === "additionalProperties") return `[*]${pathOf(rest)}`;
  return pathOf(rest);
}
