import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sampleOf, type Schema } from "../../demo/models/scripted/sample.ts";

const sample = (schema: z.ZodType, text: string): unknown => sampleOf(z.toJSONSchema(schema) as Schema, text);

const person = z.object({ name: z.string().min(3), age: z.number().int().min(18).max(99) });

describe("a sample fits its schema", () => {
  test.each<[string, z.ZodType]>([
    ["texts with limits", z.object({ short: z.string().max(5), long: z.string().min(200) })],
    ["formats", z.object({ at: z.iso.datetime(), day: z.iso.date(), mail: z.email(), link: z.url(), id: z.uuid() })],
    ["numbers", z.object({ small: z.number().max(3), large: z.number().min(500), whole: z.int().positive() })],
    ["what may be null or absent", z.object({ one: z.string().nullable(), two: z.boolean().optional() })],
    [
      "lists",
      z.object({ few: z.array(z.string()).max(2), three: z.array(person).min(3), none: z.array(z.int()).max(0) }),
    ],
    ["sets of words", z.object({ labels: z.array(z.enum(["a1", "b2", "c3"])).min(2), one: z.literal("x") })],
    ["one of several", z.object({ either: z.union([z.object({ kind: z.literal("a") }), z.string()]) })],
    ["a part that is used twice", z.object({ first: person, second: person }).meta({ id: "pair" })],
  ])("%s", (_name, schema) => {
    const value = sample(schema, "Somebody, 7, wrote that the page is blank");
    expect(() => schema.parse(value)).not.toThrow();
  });
});

test("words of the text choose among the options; without any it is the first", () => {
  const schema = z.object({ severity: z.enum(["low", "high"]), labels: z.array(z.enum(["bug", "docs", "login"])) });
  expect(sample(schema, "A Login bug of high urgency")).toEqual({ severity: "high", labels: ["bug", "login"] });
  expect(sample(schema, "Something else")).toEqual({ severity: "low", labels: ["bug"] });
});
