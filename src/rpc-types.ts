/**
 * Results as the types of Workers RPC let them pass. Those turn a method into `never` when its result holds an
 * `unknown`, and follow recursive arrays until the compiler gives up. So a method whose result does is declared
 * twice: with the type of the AI SDK for callers in the object, and last with one from here, because RPC sees the
 * last declaration only. Each can be given where the other is asked for.
 */
import type { UIMessage } from "ai";

/** Any value: the same set as `unknown`. */
export type AnyValue = {} | null | undefined;

/** JSON, as `JSONValue` of the AI SDK. Its arrays are described by what they hold. */
export type Json = null | string | number | boolean | JsonObject | JsonArray;
export type JsonObject = { [key: string]: Json | undefined };
// An alias and no interface: only aliases have the implicit index signature that makes this a `JSONValue`.
type JsonArray = { readonly [index: number]: Json; readonly length: number };

/** A `UIMessage`. */
export type RpcMessage = {
  id: string;
  role: UIMessage["role"];
  metadata?: AnyValue;
  parts: Passed<UIMessage["parts"][number]>[];
};

/** The same type with `AnyValue` for `unknown` and `JsonObject` for records of JSON. */
type Passed<T> = unknown extends T
  ? AnyValue
  : T extends readonly (infer Item)[]
    ? Passed<Item>[]
    : T extends object
      ? string extends keyof T
        ? PassedRecord<T>
        : { [K in keyof T]: Passed<T[K]> }
      : T;

type PassedRecord<T> =
  T extends Record<string, string> ? T : T extends Record<string, object> ? Record<string, JsonObject> : JsonObject;
