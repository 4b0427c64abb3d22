import { expect, test } from "vitest";
import { z } from "zod";
import * as z3 from "zod/v3";
import { jsonSchemaOf, parseOutput } from "../../src/workflows/output-schema.ts";

test.each([
  ["date", z.date(), "Date"],
  ["coerced date", z.coerce.date(), "Date"],
  ["bigint", z.bigint(), "BigInt"],
  ["symbol", z.symbol(), "Symbol"],
  ["undefined", z.undefined(), "Undefined"],
  ["void", z.void(), "Void"],
  ["nan", z.nan(), "NaN"],
  ["map", z.map(z.string(), z.string()), "Map"],
  ["set", z.set(z.string()), "Set"],
  ["transform", z.string().transform(Number), "Transform"],
  ["custom", z.instanceof(URL), "Custom"],
])("FR-34 W-1: a %s has no JSON schema, and the error says where", (_, field, type) => {
  const schema = z.object({ list: z.array(z.object({ d: field })) });
  expect(() => jsonSchemaOf(schema)).toThrow(/^output\.list\[\]\.d: /);
  expect(() => jsonSchemaOf(schema)).toThrow(new RegExp(type, "i"));
});

test("FR-34: dates as text, records, unions, recursion and shared definitions work", () => {
  const Node = z.object({
    name: z.string(),
    get children() {
      return z.array(Node);
    },
  });
  const Shared = z.object({ id: z.string() }).meta({ id: "Shared" });
  const schema = z.object({
    at: z.iso.datetime(),
    counts: z.record(z.string(), z.number()),
    either: z.union([z.string(), z.number()]),
    tree: Node,
    a: Shared,
    b: Shared,
  });
  const json = jsonSchemaOf(schema);
  expect(json).toMatchObject({ type: "object", properties: { at: { type: "string", format: "date-time" } } });
  expect(JSON.stringify(json)).toContain("$ref");
});

test("FR-34: a schema with an id of its own is still an object at the root", () => {
  const schema = z.object({ title: z.string() }).meta({ id: "Report" });
  expect(jsonSchemaOf(schema)).toMatchObject({ type: "object", properties: { title: { type: "string" } } });
});

test("W-1: fields with defaults are required of the model, and other keys are not asked for", () => {
  expect(jsonSchemaOf(z.object({ a: z.string().default("x"), b: z.string().optional() }))).toMatchObject({
    required: ["a"],
    additionalProperties: false,
  });
});

test("FR-35: a schema of Zod 3 keeps its fields, and parses", async () => {
  const schema = z3.z.object({ title: z3.z.string() });
  expect(jsonSchemaOf(schema)).toMatchObject({ type: "object", properties: { title: { type: "string" } } });
  expect(await parseOutput(schema, { title: "Yes", noise: 1 })).toEqual({ success: true, data: { title: "Yes" } });
  expect(await parseOutput(schema, { title: 1 })).toMatchObject({ success: false });
});
