import { zodToJsonSchema } from "zod-to-json-schema";
import { z } from "zod";
import type * as z3 from "zod/v3";
import { ThinkInputError } from "../errors.ts";

type JsonSchema = Record<string, unknown>;

/** The schema of a prompt's output: an object of Zod 4, or of Zod 3. */
export type PromptOutput = z.ZodObject | z3.AnyZodObject;

/** What a prompt with this schema gives. */
export type OutputOf<Schema extends PromptOutput> = Schema extends z.ZodObject
  ? z.infer<Schema>
  : Schema extends z3.AnyZodObject
    ? z3.infer<Schema>
    : never;

type Parsed<T> = { readonly success: true; readonly data: T } | { readonly success: false; readonly error: unknown };

/**
 * The JSON schema that the model is given.
 *
 * @throws {ThinkInputError} when it is no object schema.
 * @throws {Error} naming the path, when a part of it has no JSON schema.
 */
export function jsonSchemaOf(schema: PromptOutput): JsonSchema {
  const json = isZod4(schema) ? fromZod4(schema) : fromZod3(schema);
  // Some converters give an empty schema for what they do not know, and the model would see "anything".
  if (json["type"] !== "object" || Object.keys((json["properties"] ?? {}) as object).length === 0) {
    throw new ThinkInputError("not-an-object-schema", "output", "output must be a Zod object with at least one field");
  }
  return json;
}

/** Parse an output, asynchronous refinements too. */
export async function parseOutput<Schema extends PromptOutput>(
  schema: Schema,
  output: unknown,
): Promise<Parsed<OutputOf<Schema>>> {
  return (await schema.safeParseAsync(output)) as Parsed<OutputOf<Schema>>;
}

const isZod4 = (schema: unknown): schema is z.ZodObject =>
  typeof schema === "object" && schema !== null && "_zod" in schema;

function fromZod4(schema: z.ZodObject): JsonSchema {
  try {
    return withRootInline(z.toJSONSchema(schema));
  } catch (cause) {
    const words = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${pathOfUnrepresentable(schema)}: ${words}`, { cause });
  }
}

/** A schema with `.meta({ id })` is a reference to its own definition; models are given an object at the root. */
function withRootInline({ $ref, ...rest }: JsonSchema): JsonSchema {
  if (typeof $ref !== "string") return rest;
  const definitions = (rest["$defs"] ?? {}) as Record<string, JsonSchema>;
  return { ...rest, ...definitions[$ref.replace("#/$defs/", "")] };
}

/** Only schemas of Zod 3: of Zod 4 it makes an empty schema, without a word. */
function fromZod3(schema: unknown): JsonSchema {
  if (typeof schema !== "object" || schema === null || !("_def" in schema)) return {};
  return zodToJsonSchema(schema as Parameters<typeof zodToJsonSchema>[0]) as JsonSchema;
}

/** Kinds of schema that have no JSON schema. */
const UNREPRESENTABLE = new Set<string>([
  "bigint",
  "custom",
  "date",
  "function",
  "map",
  "nan",
  "promise",
  "set",
  "symbol",
  "transform",
  "undefined",
  "void",
]);

/** Zod says what cannot be represented, but not where. */
function pathOfUnrepresentable(schema: z.ZodObject): string {
  let found = "output";
  z.toJSONSchema(schema, {
    unrepresentable: "any",
    override: ({ zodSchema, path }) => {
      if (found === "output" && UNREPRESENTABLE.has(zodSchema._zod.def.type)) found = readable(path);
    },
  });
  return found;
}

/** `["properties", "d", "items"]` → `output.d[]` */
function readable(path: readonly (string | number)[]): string {
  let text = "output";
  for (let i = 0; i < path.length; i++) {
    if (path[i] === "properties") text += `.${path[++i]}`;
    else if (path[i] === "items" || path[i] === "prefixItems") text += "[]";
  }
  return text;
}
