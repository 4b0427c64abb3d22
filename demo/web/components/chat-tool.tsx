// A tool call in the chat: what goes in, what came out, and the question whether it may run.
import type { UIMessage } from "../api.ts";
import { Json } from "./json.tsx";

export type ToolPart = Extract<UIMessage["parts"][number], { toolCallId: string }>;

export type Decide = (approvalId: string, approved: boolean) => void;

export function ChatTool({ part, onDecide }: { part: ToolPart; onDecide: Decide | undefined }) {
  const name = part.type === "dynamic-tool" ? part.toolName : part.type.replace(/^tool-/, "");
  if (part.state === "approval-requested") {
    const { id } = part.approval;
    return (
      <div className="approval" role="group" aria-label={`May ${name} run?`}>
        <p>
          May <span className="mono">{name}</span> run?
        </p>
        <Json value={part.input} />
        {onDecide && (
          <div className="row actions">
            <button type="button" className="primary" onClick={() => onDecide(id, true)}>
              Approve
            </button>
            <button type="button" className="danger" onClick={() => onDecide(id, false)}>
              Reject
            </button>
          </div>
        )}
      </div>
    );
  }
  return (
    <p className="mono tool" data-state={part.state}>
      {name}({JSON.stringify(part.input)}) → {resultOf(part)}
    </p>
  );
}

function resultOf(part: ToolPart): string {
  switch (part.state) {
    case "output-available":
      return JSON.stringify(part.output);
    case "output-error":
      return `failed: ${part.errorText}`;
    case "output-denied":
      return "rejected";
    case "approval-responded":
      return part.approval.approved ? "approved …" : "rejected";
    default:
      return "…";
  }
}
