import type { Connection } from "agents";
import type { UIMessage } from "ai";
import { answerTool, type Decision, expireInteraction, type InteractionState } from "../commands/index.ts";
import { CONVERSATION_STREAM, type EventData, turnStream } from "../events/index.ts";
import { type Cause, ENGINE } from "../engine/cause.ts";
import { type Alongside, writeAlongside } from "../engine/write-alongside.ts";
import type { MessagePart } from "./adapter.ts";
import { liveMessage } from "./live-message.ts";
import type { WireParts } from "./parts.ts";
import { decideAnswer } from "./tool-answers.ts";
import { type IsClientTool, toolCallOf } from "./tool-calls.ts";
import type { ToolApproval, ToolResult } from "./tool-frames.ts";
import type { TurnLookup } from "./turn-lookup.ts";

type InteractionParts = {
  readonly parts: () => WireParts;
  readonly lookup: TurnLookup;
  /** Put the part in the place of the call's, in the answer that streams. */
  readonly answeredLive: (part: MessagePart, toolCallId: string) => void;
  /** Tools that the client of this message's turn runs. */
  readonly clientToolsFor: (message: UIMessage) => IsClientTool;
};

const ENGINE_CAUSE: Cause = { actor: ENGINE, causationId: "timeout" };

export type ToolAnswer = ToolResult | ToolApproval;

/** What an answer came to: whether it was taken, and the message that holds the call, as it is now. */
export type Answered = { readonly taken: boolean; readonly message: UIMessage | undefined };

/** Answers of clients to calls that wait for them, put into the conversation and on record in one commit. */
export class Interactions {
  readonly #needs: InteractionParts;

  constructor(needs: InteractionParts) {
    this.#needs = needs;
  }

  async answer(frame: ToolAnswer, cause: Cause): Promise<Answered> {
    const { conversation, live } = this.#needs.parts();
    await conversation.ready();
    const holder = this.holderOf(frame.toolCallId);
    if (!holder) return { taken: false, message: undefined };
    const decision = decideAnswer([holder], frame, this.#needs.clientToolsFor(holder));
    if (decision.kind === "refuse") return { taken: false, message: holder };
    const { message, part } = decision;
    const { toolCallId } = frame;
    const toolName = toolCallOf(part)?.toolName ?? "";
    const fact = {
      messageId: message.id,
      toolCallId,
      toolName,
      answer: answerOf(frame),
      continues: frame.autoContinue,
    };
    const decided = answerTool(fact, this.#stateOf(message.id));
    if (message.id === live.message?.().id) {
      this.#record(decided, cause);
      this.#needs.answeredLive(part, toolCallId);
    } else {
      writeAlongside(conversation, [message], null, (alongside) => this.#record(decided, cause, alongside));
    }
    return { taken: true, message };
  }

  /** The newest message with this call, the one that streams included. */
  holderOf(toolCallId: string): UIMessage | undefined {
    const { conversation, live } = this.#needs.parts();
    const streaming = liveMessage({ live });
    return [...conversation.messages(), ...(streaming ? [streaming] : [])].findLast(({ parts }) =>
      parts.some((part) => toolCallOf(part)?.toolCallId === toolCallId),
    );
  }

  /** Nobody answered in time. Returns the message with the call ended. */
  expire(message: UIMessage, part: MessagePart, call: Omit<EventData<"InteractionExpired">, "messageId">): UIMessage {
    const { conversation } = this.#needs.parts();
    const parts = message.parts.map((old) => (toolCallOf(old)?.toolCallId === call.toolCallId ? part : old));
    const ended = { ...message, parts };
    const decision = expireInteraction({ messageId: message.id, ...call }, this.#stateOf(message.id));
    writeAlongside(conversation, [ended], null, (alongside) => this.#record(decision, ENGINE_CAUSE, alongside));
    return ended;
  }

  #record(decision: Decision, cause: Cause, alongside?: Alongside): boolean {
    const { dispatcher } = this.#needs.parts().engine;
    if (decision.kind === "record") {
      dispatcher.record(decision.appends, cause, alongside?.write, alongside?.committed);
    }
    return true;
  }

  #stateOf(messageId: string): InteractionState {
    const { store } = this.#needs.parts().engine;
    const turn = this.#needs.lookup.turnOf(messageId);
    if (turn) return store.turn(turnStream(turn.submitted.turnId));
    return { stream: CONVERSATION_STREAM, version: store.log.stream(CONVERSATION_STREAM)?.version ?? 0 };
  }
}

function answerOf(frame: ToolAnswer): EventData<"ToolAnswered">["answer"] {
  if (frame.kind === "tool-approval") return frame.approved ? "approved" : "denied";
  return frame.result.state === "output-available" ? "output" : "error";
}

/** Whose doing a frame is. */
export const causeOfFrame = (connection: Connection): Cause => ({
  actor: `connection:${connection.id}`,
  causationId: `frame:${crypto.randomUUID()}`,
});
