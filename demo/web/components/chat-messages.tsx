// The messages in order. An answer in several messages (it went on after a tool) is made again from its first.
import type { Branches, UIMessage } from "../api.ts";
import type { Chat } from "../live/use-chat.ts";
import { ChatMessage } from "./chat-message.tsx";
import { type Decide } from "./chat-tool.tsx";

type Props = { chat: Chat; branches: Branches };

export function ChatMessages({ chat, branches }: Props) {
  const { messages, busy } = chat;
  if (messages.length === 0) return <p className="empty">Empty. Write something, or choose an example.</p>;

  const decide: Decide = (id, approved) => void chat.addToolApprovalResponse({ id, approved });
  const first = messages[messages.findLastIndex(({ role }) => role === "user") + 1];
  const again = first && !busy ? () => void chat.regenerate({ messageId: first.id }) : undefined;
  return (
    <ol className="messages" aria-label="Messages">
      {messages.map((message, index) => (
        <ChatMessage
          key={message.id}
          message={message}
          siblings={siblingsOf(message, messages[index - 1], branches)}
          onDecide={decide}
          onRegenerate={index === messages.length - 1 ? again : undefined}
        />
      ))}
    </ol>
  );
}

function siblingsOf({ id }: UIMessage, before: UIMessage | undefined, branches: Branches): UIMessage[] {
  const answers = branches[before?.id ?? ""] ?? [];
  return answers.some((answer) => answer.id === id) ? answers : [];
}
