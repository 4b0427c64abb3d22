// One message, or a sibling of it: an answer that was made again keeps the ones before.
import { useState } from "react";
import type { UIMessage } from "../api.ts";
import { BranchPicker } from "./branch-picker.tsx";
import { ChatTool, type Decide } from "./chat-tool.tsx";

type Props = {
  message: UIMessage;
  /** With the message itself; empty when it is the only one. */
  siblings: UIMessage[];
  onDecide: Decide;
  onRegenerate: (() => void) | undefined;
};

export function ChatMessage({ message, siblings, onDecide, onRegenerate }: Props) {
  const [chosenId, setChosenId] = useState(message.id);
  const chosen = siblings.find(({ id }) => id === chosenId);
  // What the conversation goes on from is live; its siblings are as they were stored.
  const shown = chosen && chosen.id !== message.id ? chosen : message;
  return (
    <li className={message.role} data-message={shown.id}>
      <p className="who">
        {message.role}
        {shown !== message && <span className="hint"> — another answer; the conversation goes on without it</span>}
      </p>
      {shown.parts.map((part, index) => (
        <Part key={index} part={part} onDecide={shown === message ? onDecide : undefined} />
      ))}
      {(siblings.length > 1 || onRegenerate) && (
        <div className="row actions">
          {siblings.length > 1 && (
            <BranchPicker ids={siblings.map(({ id }) => id)} id={shown.id} onChoose={setChosenId} />
          )}
          {onRegenerate && (
            <button type="button" onClick={onRegenerate}>
              Regenerate
            </button>
          )}
        </div>
      )}
    </li>
  );
}

function Part({ part, onDecide }: { part: UIMessage["parts"][number]; onDecide: Decide | undefined }) {
  if (part.type === "text") return <p className="said">{part.text}</p>;
  if (part.type === "reasoning") return <p className="said thought">{part.text}</p>;
  return "toolCallId" in part ? <ChatTool part={part} onDecide={onDecide} /> : null;
}
