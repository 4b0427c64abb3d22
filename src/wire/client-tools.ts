import type { ClientToolSchema } from "agents/chat";
import { ThinkInputError } from "../errors.ts";

/** Tools that one client can bring, and bytes of all of them as JSON: they are part of every request to the model. */
export const MAX_CLIENT_TOOLS = 128;
export const MAX_CLIENT_TOOLS_BYTES = 100_000;

/**
 * Tools of the client as it describes them; `undefined` when it does not say.
 *
 * @throws {ThinkInputError} naming the tool at fault.
 */
export function checkClientTools(value: unknown): readonly ClientToolSchema[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw new ThinkInputError("not-an-array", "clientTools", "clientTools must be an array");
  if (value.length > MAX_CLIENT_TOOLS) {
    const limit = `at most ${MAX_CLIENT_TOOLS} are accepted`;
    throw new ThinkInputError("too-many", "clientTools", `clientTools has ${value.length} tools; ${limit}`);
  }
  const tools = value.map((tool: unknown, index) => checkTool(tool, `clientTools[${index}]`));
  const bytes = new TextEncoder().encode(JSON.stringify(tools)).byteLength;
  if (bytes > MAX_CLIENT_TOOLS_BYTES) {
    const limit = `at most ${MAX_CLIENT_TOOLS_BYTES} are accepted`;
    throw new ThinkInputError("too-large", "clientTools", `clientTools is ${bytes} bytes as JSON; ${limit}`);
  }
  return tools;
}

function checkTool(tool: unknown, field: string): ClientToolSchema {
  const { name, description, parameters } = (tool ?? {}) as Record<string, unknown>;
  if (typeof name !== "string" || name.trim() === "") {
    throw new ThinkInputError("blank", `${field}.name`, `${field}.name must be the tool's name`);
  }
  if (parameters !== undefined && (typeof parameters !== "object" || parameters === null)) {
    const message = `${field}.parameters must be a JSON schema`;
    throw new ThinkInputError("not-an-object", `${field}.parameters`, message);
  }
  return {
    name,
    ...(typeof description === "string" && { description }),
    ...(parameters !== undefined && { parameters }),
  };
}
