import { toJSONSchema, type ZodObject } from "zod";
import { ThinkInputError } from "../errors.ts";
import { isZod4, type PromptSchema } from "./schema-types.ts";
import { legacyJsonSchema } from "./legacy-json-schema.ts";
import { unrepresentable } from "./unrepresentable.ts";

type JsonSchema = Record<string, unknown>;

/**
 * An output's schema for the model.
 *
 * @throws {ThinkInputError} naming the path and the type, when JSON Schema cannot say what the schema says;
 * or when nothing would be left for the model to fill in.
 */
export function outputJsonSchema(output: PromptSchema): JsonSchema {
  const schema = isZod4(output) ? withRootInline(convert(output)) : legacyJsonSchema(output);
  const { type, properties } = schema;
  if (type !== "object" || typeof properties !== "object" || Object.keys(properties ?? {}).length === 0) {
    throw new ThinkInputError("empty", "output", "output must be an object schema with at least one property");
  }
  return schema;
}

/** The output side: it is what the step gives back, and a field with a default is one the model is asked for too. */
function convert(output: ZodObject): JsonSchema {
  try {
    return toJSONSchema(output, { io: "output" });
  } catch (error) {
    throw unrepresentable(output, error);
  }
}

/** A schema with `.meta({ id })` is a reference to its own definition. Models are given an object at the root. */
function withRootInline(schema: JsonSchema): JsonSchema {
  const { $ref, ...rest } = schema;
  if (typeof $ref !== "string" || !$ref.startsWith("#/$defs/")) return schema;
  const definitions = rest["$defs"] as Record<string, JsonSchema>;
  return { ...rest, ...definitions[$ref.slice("#/$defs/".length)] };
}
