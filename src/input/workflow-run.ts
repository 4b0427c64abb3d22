import { ThinkInputError } from "../errors.ts";
import { checkIdentifier } from "./identifiers.ts";
import { serializeObject } from "./json-object.ts";

/** What {@link Think.runWorkflow} is asked for, checked; `params` and `metadata` as JSON. */
export type WorkflowRunInput = {
  readonly workflowName: string;
  readonly workflowId: string;
  readonly params?: string;
  readonly metadata?: string;
  readonly agentBinding?: string;
  readonly retention?: Record<string, string | number>;
};

type Options = {
  readonly id?: unknown;
  readonly metadata?: unknown;
  readonly agentBinding?: unknown;
  readonly retention?: unknown;
};

/** What Workflows accept as the event that starts an instance. */
const MAX_PARAMS_BYTES = 1_048_576;

const INSTANCE_ID = /^[a-zA-Z0-9_][a-zA-Z0-9-_]*$/;
const MAX_INSTANCE_ID = 100;

/** @throws {ThinkInputError} naming the field at fault, before anything is stored. */
export function checkWorkflowRun(
  name: unknown,
  params: unknown,
  options: Options | null | undefined,
  newId: () => string,
): WorkflowRunInput {
  const kept = serializeObject(params ?? undefined, "params", MAX_PARAMS_BYTES);
  const metadata = serializeObject(options?.metadata ?? undefined, "metadata");
  const agentBinding = checkIdentifier(options?.agentBinding, "agentBinding");
  const retention = checkInstanceRetention(options?.retention);
  return {
    workflowName: checkName(name),
    workflowId: checkInstanceId(options?.id) ?? newId(),
    ...(kept !== undefined && { params: kept }),
    ...(metadata !== undefined && { metadata }),
    ...(agentBinding !== undefined && { agentBinding }),
    ...(retention && { retention }),
  };
}

function checkName(name: unknown): string {
  const checked = checkIdentifier(name, "workflowName");
  if (checked === undefined) throw new ThinkInputError("missing", "workflowName", "workflowName is missing");
  return checked;
}

function checkInstanceId(id: unknown): string | undefined {
  const checked = checkIdentifier(id, "id");
  if (checked === undefined) return undefined;
  if (checked.length > MAX_INSTANCE_ID) {
    const limit = `Workflows accept at most ${MAX_INSTANCE_ID}`;
    throw new ThinkInputError("too-long", "id", `id has ${checked.length} characters; ${limit}`);
  }
  if (!INSTANCE_ID.test(checked)) {
    const rule = "letters, digits, - and _, and does not begin with -";
    throw new ThinkInputError("invalid-id", "id", `id "${checked}" is none for a workflow: it consists of ${rule}`);
  }
  return checked;
}

function checkInstanceRetention(retention: unknown): Record<string, string | number> | undefined {
  if (retention === undefined || retention === null) return undefined;
  const refused = (field: string): ThinkInputError =>
    new ThinkInputError("invalid-retention", field, `${field} must be a duration: milliseconds, or text as "7 days"`);
  if (typeof retention !== "object") throw refused("retention");
  const entries = Object.entries(retention).filter(([, duration]) => duration !== undefined);
  for (const [name, duration] of entries) {
    const isDuration = typeof duration === "number" ? Number.isFinite(duration) : typeof duration === "string";
    if (!isDuration) throw refused(`retention.${name}`);
  }
  return Object.fromEntries(entries) as Record<string, string | number>;
}
