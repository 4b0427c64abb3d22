import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  catalogue,
  decode,
  encode,
  type EventType,
  isKnown,
  isKnownType,
  type StoredEvent,
  type ThinkEvent,
} from "../../src/events/index.ts";

/**
 * One file for each version of each event, never changed once it is released: an event as it is stored, with
 * everything that it can hold, and the shape of its facts. A shape that changes is a new version: raise it in the
 * catalogue, add an upcaster from the old one, and put a golden of the new one beside the old.
 */
type Golden = { readonly event: StoredEvent; readonly shape: Shape };
type Shape = { readonly properties?: Record<string, Shape>; readonly items?: Shape; readonly anyOf?: Shape[] };

const folder = resolve(import.meta.dirname, "../goldens");
const nameOf = (type: string, version: number): string => `${type}.v${version}.json`;
const golden = (file: string): Golden => JSON.parse(readFileSync(resolve(folder, file), "utf8")) as Golden;
const shapeOf = (type: EventType): unknown => JSON.parse(JSON.stringify(z.toJSONSchema(catalogue[type].schema)));
const types = Object.keys(catalogue).filter(isKnownType);

test("there is a golden for every version of every event, and for nothing else", () => {
  const expected = types.flatMap((type) =>
    Array.from({ length: catalogue[type].version }, (_, index) => nameOf(type, index + 1)),
  );
  const files = readdirSync(folder);
  const wanted = types.filter((type) => !files.includes(nameOf(type, catalogue[type].version)));
  const help = wanted.map(
    (type) =>
      `write tests/goldens/${nameOf(type, catalogue[type].version)}: { event, shape: ${JSON.stringify(shapeOf(type))} }`,
  );
  expect(files.toSorted(), help.join("\n")).toEqual(expected.toSorted());
});

describe.each(types)("%s", (type) => {
  const { version } = catalogue[type];
  const newest = () => golden(nameOf(type, version));

  test("its shape is that of its golden, or its version is a new one", () => {
    expect(shapeOf(type)).toEqual(newest().shape);
  });

  test("its golden is read as it is stored, and stored as it is read", () => {
    const { event } = newest();
    expect(event).toMatchObject({ type, schemaVersion: version });
    const decoded = decode(event);
    expect(isKnown(decoded)).toBe(true);
    expect(decoded).toEqual(event);
    expect(encode(event as ThinkEvent)).toEqual({ data: JSON.stringify(event.data), schemaVersion: version });
  });

  test("its golden holds everything that it can hold", () => {
    const { event, shape } = newest();
    expect(missing(shape, event.data)).toEqual([]);
  });

  test("goldens of older versions are still read", () => {
    for (let older = 1; older < version; older += 1)
      expect(isKnown(decode(golden(nameOf(type, older)).event))).toBe(true);
  });
});

/** Paths of a shape for which the value has nothing. */
function missing({ properties = {}, items, anyOf = [] }: Shape, value: unknown, path = "data"): string[] {
  if (value === undefined) return [path];
  const members = Object.entries(properties).flatMap(([name, shape]) =>
    missing(shape, (value as Record<string, unknown>)[name], `${path}.${name}`),
  );
  const elements = items ? missing(items, (value as unknown[])[0], `${path}[0]`) : [];
  const object = anyOf.find((shape) => shape.properties);
  return [...members, ...elements, ...(object ? missing(object, value, path) : [])];
}
