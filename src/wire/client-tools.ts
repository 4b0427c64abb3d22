// The tools that a client brings with a request: they go into a turn's record and to the model, so they have limits.
import { ThinkInputError } from "../errors.ts";
import type { ClientToolSchema } from "./adapter.ts";
import { isObject, jsonOf, optionalText, requireIdentifier } from "./fields.ts";

export const MAX_CLIENT_TOOLS = 128;
/** Bytes of all of a request's tools as JSON. */
export const MAX_CLIENT_TOOLS_BYTES = 100_000;

/**
 * The tools as they are kept, without what is not of them; `undefined` when the client says nothing of tools,
 * which is not the same as none.
 *
 * @throws {ThinkInputError} naming the field.
 */
export function checkClientTools(value: unknown): ClientToolSchema[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) {
    throw new ThinkInputError("not-an-array", "clientTools", "clientTools must be an array of tools");
  }
  if (value.length > MAX_CLIENT_TOOLS) {
    const message = `clientTools has ${value.length} tools; at most ${MAX_CLIENT_TOOLS} are accepted`;
    throw new ThinkInputError("too-many", "clientTools", message);
  }
  const tools = value.map((tool: unknown, index) => checkTool(tool, `clientTools[${index}]`));
  if (new TextEncoder().encode(jsonOf(tools, "clientTools")).byteLength > MAX_CLIENT_TOOLS_BYTES) {
    const message = `clientTools is larger than ${MAX_CLIENT_TOOLS_BYTES} bytes as JSON`;
    throw new ThinkInputError("too-large", "clientTools", message);
  }
  return tools;
}

function checkTool(tool: unknown, field: string): ClientToolSchema {
  if (!isObject(tool)) throw new ThinkInputError("not-an-object", field, `${field} must be an object with a name`);
  const name = checkName(tool["name"], `${field}.name`);
  const description = optionalText(tool["description"], `${field}.description`);
  const parameters = tool["parameters"];
  if (parameters !== undefined && !isObject(parameters)) {
    const message = `${field}.parameters must be a JSON schema, as an object`;
    throw new ThinkInputError("not-an-object", `${field}.parameters`, message);
  }
  return { name, ...(description !== undefined && { description }), ...(parameters !== undefined && { parameters }) };
}

function checkName(value: unknown, field: string): string {
  const name = requireIdentifier(value, field);
  // Tools are looked up by their names in plain objects, which have names of their own.
  if (name in {}) throw new ThinkInputError("reserved", field, `${field} must not be ${name}`);
  return name;
}
