// How the line is and what the agent does; and starting over.
import { useState } from "react";
import type { Chat } from "../live/use-chat.ts";
import { Dialog } from "./dialog.tsx";

const LINES = { connecting: "Connecting …", connected: "Connected", reconnecting: "Line lost, reconnecting …" };

export function ChatHead({ chat }: { chat: Chat }) {
  const [asking, setAsking] = useState(false);
  const { line, messages } = chat;
  return (
    <div className="pane-head">
      <h2 id="chat-title">Chat</h2>
      <p className={`connection ${line === "connected" ? "live" : "reconnecting"}`} role="status">
        <span aria-hidden="true">{line === "connected" ? "●" : "◌"}</span> <span>{LINES[line]}</span>
        {chat.connectionError && <span className="field-error"> {chat.connectionError.message}</span>}
      </p>
      <p className="hint" role="status" data-busy={chat.busy}>
        {doing(chat)}
      </p>
      <button type="button" className="danger" disabled={messages.length === 0} onClick={() => setAsking(true)}>
        Clear …
      </button>
      {asking && (
        <Dialog
          title="Clear the conversation?"
          confirm="Clear the conversation"
          onConfirm={() => chat.clearHistory()}
          onClose={() => setAsking(false)}
        >
          <p>What is being answered is stopped and all messages go. The log keeps its events.</p>
        </Dialog>
      )}
    </div>
  );
}

function doing({ line, isRecovering, isStreaming, status }: Chat): string {
  if (line !== "connected") return "";
  if (isRecovering) return "Recovering …";
  if (isStreaming) return "Answering …";
  return status === "submitted" ? "Sent …" : "Ready";
}
