import type { AnyZodObject, ZodTypeDef } from "zod/v3";
import { ignoreOverride, zodToJsonSchema } from "zod-to-json-schema";
import { ThinkInputError } from "../errors.ts";

/** What would be converted to something that the schema itself then refuses. The same types that Zod 4 refuses. */
const TYPES: Readonly<Record<string, string>> = {
  ZodBigInt: "BigInt",
  ZodDate: "Date",
  ZodFunction: "Function types",
  ZodMap: "Map",
  ZodNaN: "NaN",
  ZodSet: "Set",
  ZodSymbol: "Symbols",
  ZodUndefined: "Undefined",
  ZodVoid: "Void",
};

type Definition = ZodTypeDef & { readonly typeName?: string; readonly effect?: { readonly type: string } };

/** Schemas of `zod/v3` only: for one of Zod 4 the package gives an empty schema, and says nothing. */
export const legacyJsonSchema = (output: AnyZodObject): Record<string, unknown> =>
  zodToJsonSchema(output, {
    override: (definition: Definition, { currentPath }) => {
      const words = definition.effect?.type === "transform" ? "Transforms" : TYPES[definition.typeName ?? ""];
      if (words === undefined) return ignoreOverride;
      const field = `output${pathOf(currentPath)}`;
      const message = `${field} is of type ${definition.typeName}: ${words} cannot be represented in JSON Schema`;
      throw new ThinkInputError("unrepresentable", field, message);
    },
  });

/** Paths start at `#`; those of this package name properties as Zod 4's do. */
const pathOf = (path: readonly string[]): string =>
  path
    .slice(1)
    .map((part, index, parts) => {
      if (parts[index - 1] === "properties") return `.${part}`;
      return part === "items" ? "[]" : "";
    })
    .join("");
