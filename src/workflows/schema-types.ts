import type { ZodObject } from "zod";
import type { AnyZodObject } from "zod/v3";

/** What an output may be described with: an object schema of Zod 4, or one of `zod/v3`. */
export type PromptSchema = ZodObject | AnyZodObject;

/** The type of the output: `z.infer` of either version. */
export type PromptOutput<Schema extends PromptSchema> = Schema extends { _zod: { output: infer Output } }
  ? Output
  : Schema extends { _output: infer Output }
    ? Output
    : never;

/** Objects of Zod 4 have a core of this name, whichever copy of the package made them. */
export const isZod4 = (schema: object): schema is ZodObject => "_zod" in schema;
