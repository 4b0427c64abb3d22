// A value that fits a JSON schema, made of a text: what the text names is chosen, what it says is repeated.
import { textFor } from "./sample-text.ts";

export type Schema = {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
  $defs?: Record<string, Schema>;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
};

const MAX_DEPTH = 12;

export function sampleOf(schema: Schema, text: string): unknown {
  return new Sampler(schema, text).value(schema, "", 0);
}

class Sampler {
  readonly #root: Schema;
  readonly #text: string;

  constructor(root: Schema, text: string) {
    this.#root = root;
    this.#text = text;
  }

  /** `name` is the property the value is for. */
  value(schema: Schema, name: string, depth: number): unknown {
    const inner = resolved(schema, this.#root);
    if (depth > MAX_DEPTH) return null; // A schema that holds itself.
    if (inner.const !== undefined) return inner.const;
    if (inner.enum) return this.#mentioned(inner.enum)[0] ?? inner.enum[0];
    const choices = inner.anyOf ?? inner.oneOf;
    if (choices?.[0]) return this.value(choices.find(({ type }) => type !== "null") ?? choices[0], name, depth + 1);

    switch (typeOf(inner)) {
      case "object":
        return this.#object(inner, depth);
      case "array":
        return this.#list(inner, name, depth);
      case "number":
      case "integer":
        return this.#number(inner);
      case "boolean":
        return this.#says(name);
      case "null":
        return null;
      default:
        return textFor(inner, this.#text);
    }
  }

  #object({ properties = {} }: Schema, depth: number): Record<string, unknown> {
    const entries = Object.entries(properties);
    return Object.fromEntries(entries.map(([name, member]) => [name, this.value(member, name, depth + 1)]));
  }

  /** Of a set of words, all that the text names; else as few as are permitted, but one. */
  #list({ items = {}, minItems = 1, maxItems = Infinity }: Schema, name: string, depth: number): unknown[] {
    const options = resolved(items, this.#root).enum ?? [];
    const least = Math.min(Math.max(minItems, 1), maxItems);
    const named = this.#mentioned(options).slice(0, maxItems);
    const others = options.filter((option) => !named.includes(option));
    while (named.length < least) named.push(others.shift() ?? this.value(items, name, depth + 1));
    return named;
  }

  #number({ minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity, type }: Schema): number {
    const lowest = Math.max(minimum, exclusiveMinimum + 1);
    const said = Number(/\d+(?:\.\d+)?/.exec(this.#text)?.[0] ?? 1);
    const value = Math.min(Math.max(said, lowest), maximum);
    return type === "integer" ? Math.floor(value) : value;
  }

  #mentioned(options: unknown[]): unknown[] {
    return options.filter((option) => typeof option === "string" && this.#says(option));
  }

  #says(word: string): boolean {
    return word !== "" && this.#text.toLowerCase().includes(word.toLowerCase());
  }
}

/** What a reference stands for, and the parts of an `allOf` as one. */
function resolved(schema: Schema, root: Schema): Schema {
  const name = /^#\/\$defs\/(.+)$/.exec(schema.$ref ?? "")?.[1];
  const target = name === undefined ? schema : (root.$defs?.[name] ?? {});
  const parts = target.allOf?.map((part) => resolved(part, root)) ?? [];
  const properties = Object.assign({}, target.properties, ...parts.map((part) => part.properties)) as object;
  return parts.length === 0 ? target : { ...Object.assign({}, target, ...parts), properties };
}

function typeOf({ type, properties, items }: Schema): string | undefined {
  if (Array.isArray(type)) return type.find((one) => one !== "null");
  return type ?? (properties ? "object" : items ? "array" : undefined);
}
