// The conversation as the model sees it: who said what, and which tools were called with what result.
import type { UIMessage } from "../api.ts";

type Props = { messages: UIMessage[]; answerId: string | undefined };

export function Conversation({ messages, answerId }: Props) {
  return (
    <section className="pane" aria-labelledby="conversation-title">
      <div className="pane-head">
        <h2 id="conversation-title">Conversation</h2>
        <p className="hint">{messages.length === 1 ? "1 message" : `${messages.length} messages`}</p>
      </div>
      {messages.length === 0 ? (
        <p className="empty">Empty. Prompts appear here when their turn begins.</p>
      ) : (
        <ol className="messages">
          {messages.map((message) => (
            <li key={message.id} className={message.id === answerId ? `${message.role} chosen` : message.role}>
              <p className="who">
                {message.role}
                {message.id === answerId && <span className="hint"> — the chosen submission’s answer</span>}
              </p>
              {message.parts.map((part, index) => (
                <Part key={index} part={part} />
              ))}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function Part({ part }: { part: UIMessage["parts"][number] }) {
  if (part.type === "text") return <p className="said">{part.text}</p>;
  if (part.type === "reasoning") return <p className="said thought">{part.text}</p>;
  if (!("toolCallId" in part)) return null;

  const name = part.type === "dynamic-tool" ? part.toolName : part.type.replace(/^tool-/, "");
  return (
    <p className="mono tool">
      {name}({JSON.stringify(part.input)}) → {resultOf(part)}
    </p>
  );
}

function resultOf(part: Extract<UIMessage["parts"][number], { toolCallId: string }>): string {
  if (part.state === "output-available") return JSON.stringify(part.output);
  return part.state === "output-error" ? `failed: ${part.errorText}` : "…";
}
