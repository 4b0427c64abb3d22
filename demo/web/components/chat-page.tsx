// The page of the chat: the conversation as its participants see it, and beside it the events of the newest turn.
import { Suspense } from "react";
import type { Api, Info } from "../api.ts";
import { ChatPane } from "./chat-pane.tsx";
import { TurnTimeline } from "./turn-timeline.tsx";

type Props = { api: Api; agent: string; head: number; model: Info["model"] | undefined; poke: () => void };

export function ChatPage({ api, agent, head, model, poke }: Props) {
  return (
    <main className="chat">
      <section className="pane" aria-labelledby="chat-title">
        <Suspense fallback={<p className="empty">Opening the conversation …</p>}>
          <ChatPane key={agent} api={api} agent={agent} model={model} poke={poke} />
        </Suspense>
      </section>
      <TurnTimeline key={agent} api={api} head={head} />
    </main>
  );
}
