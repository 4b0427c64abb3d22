// The chat itself: its state, its messages, what went wrong, and where to write.
import { useEffect, useState } from "react";
import { type Api, asFailure, type Info } from "../api.ts";
import { useBranches } from "../live/use-branches.ts";
import { useChat } from "../live/use-chat.ts";
import { useFollow } from "../live/use-follow.ts";
import { ChatComposer } from "./chat-composer.tsx";
import { ChatHead } from "./chat-head.tsx";
import { ChatMessages } from "./chat-messages.tsx";

/** While an answer comes, so often is the log asked for its events. */
const LOOK_MS = 400;

type Props = { api: Api; agent: string; model: Info["model"] | undefined; poke: () => void };

export function ChatPane({ api, agent, model, poke }: Props) {
  const chat = useChat(agent);
  const { messages, busy, error } = chat;
  const branches = useBranches(api, messages, busy);
  const scroller = useFollow(messages);
  const [text, setText] = useState("");
  const [notStopped, setNotStopped] = useState<string>();
  const problem = error?.message ?? notStopped;
  const dismiss = () => {
    chat.clearError();
    setNotStopped(undefined);
  };

  useEffect(() => {
    poke();
    if (!busy) return undefined;
    const timer = setInterval(poke, LOOK_MS);
    return () => clearInterval(timer);
  }, [busy, poke]);

  // What is sent before the line is open, the stock hook may show below its answer.
  const ready = chat.line === "connected" && !busy && text.trim() !== "";
  const send = () => {
    if (!ready) return;
    dismiss();
    void chat.sendMessage({ text });
    setText("");
  };
  const stop = () => {
    // The hook cancels only what this page asked for or has taken up again; a page that follows another must ask.
    if (chat.status === "submitted" || chat.status === "streaming") void chat.stop();
    else api.stop().catch((failure: unknown) => setNotStopped(`Not stopped. ${asFailure(failure).message}`));
  };
  return (
    <>
      <ChatHead chat={chat} />
      <div className="chat-scroll" ref={scroller}>
        <ChatMessages chat={chat} branches={branches} />
      </div>
      <div role="alert">
        {problem !== undefined && (
          <p className="note failed">
            {problem}{" "}
            <button type="button" onClick={dismiss}>
              Dismiss
            </button>
          </p>
        )}
      </div>
      <ChatComposer text={text} model={model} busy={busy} ready={ready} onText={setText} onSend={send} onStop={stop} />
    </>
  );
}
