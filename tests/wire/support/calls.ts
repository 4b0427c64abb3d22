import type { UIMessage } from "ai";
import type { Frame } from "./client.ts";

/** The tool parts of some messages, by call. */
export const callsIn = (messages: readonly UIMessage[]) =>
  Object.fromEntries(
    messages.flatMap(({ parts }) => parts.flatMap((part) => ("toolCallId" in part ? [[part.toolCallId, part]] : []))),
  );

export const isEndOfContinuation = (frame: Frame): boolean => frame.continuation === true && frame.done === true;

/** Time in which an unwished continuation would show: the window of 50 ms, and for the turn to begin. */
export const quietTime = (): Promise<void> => scheduler.wait(200);
