import { CHAT_MESSAGE_TYPES as T } from "agents/chat";

/**
 * The names of the frames. `agents/chat` exports them without documenting them: `agents` is pinned, and
 * tests/wire/contract.worker.test.ts holds it to them.
 */
export const FRAME = T;
