import type { Connection } from "agents";
import type { UIMessage } from "ai";
import { answerTool as recordAnswer, type InteractionState } from "../commands/index.ts";
import { CONVERSATION_STREAM, type EventData, turnStream } from "../events/index.ts";
import type { Cause } from "../engine/cause.ts";
import { writeAlongside } from "../engine/write-alongside.ts";
import type { WireParts } from "./parts.ts";
import { answerTool, type ToolAnswerFrame } from "./tool-answers.ts";
import type { IsClientTool } from "./tool-parts.ts";
import type { TurnLookup } from "./turn-lookup.ts";

type InteractionParts = {
  readonly parts: () => WireParts;
  readonly lookup: TurnLookup;
  /** Is it a tool that the client of this message's turn runs? */
  readonly clientToolsFor: (message: UIMessage) => IsClientTool;
};

/** What an answer came to: the message as it is now, and whether it was taken. */
export type Answered = {
  readonly taken: boolean;
  readonly reason?: string;
  readonly message: UIMessage | undefined;
};

/** Answers of clients to calls that wait for them, put into the conversation and on record in one commit. */
export class Interactions {
  readonly #needs: InteractionParts;

  constructor(needs: InteractionParts) {
    this.#needs = needs;
  }

  async answer(frame: ToolAnswerFrame, cause: Cause): Promise<Answered> {
    const { conversation, live } = this.#needs.parts();
    await conversation.ready();
    const streaming = live.message?.();
    const messages = [...conversation.messages(), ...(streaming ? [streaming] : [])];
    const holder = messages.findLast(({ parts }) =>
      parts.some((part) => "toolCallId" in part && part.toolCallId === frame.toolCallId),
    );
    const answer = answerTool(frame, holder ? [holder] : [], holder ? this.#needs.clientToolsFor(holder) : () => false);
    if (answer.kind === "refuse") return { taken: false, reason: answer.reason, message: answer.message };
    const { message, fact } = answer;
    if (message.id === streaming?.id) {
      this.#record(fact, cause);
      const part = message.parts.find(
        (candidate) => "toolCallId" in candidate && candidate.toolCallId === frame.toolCallId,
      );
      if (part) live.update?.(part, frame.toolCallId);
    } else {
      writeAlongside(conversation, [message], null, (alongside) => this.#record(fact, cause, alongside));
    }
    return { taken: true, message };
  }

  #record(fact: EventData<"ToolAnswered">, cause: Cause, alongside?: () => void): boolean {
    const { dispatcher } = this.#needs.parts().engine;
    const decision = recordAnswer(fact, this.#stateOf(fact.messageId));
    if (decision.kind === "record") dispatcher.record(decision.appends, cause, alongside);
    return true;
  }

  #stateOf(messageId: string): InteractionState {
    const { store } = this.#needs.parts().engine;
    const turn = this.#needs.lookup.turnOf(messageId);
    if (turn) return store.turn(turnStream(turn.submitted.turnId));
    return { stream: CONVERSATION_STREAM, version: store.log.stream(CONVERSATION_STREAM)?.version ?? 0 };
  }
}

/** Whose doing a frame is. */
export const causeOfFrame = (connection: Connection): Cause => ({
  actor: `connection:${connection.id}`,
  causationId: `frame:${crypto.randomUUID()}`,
});
