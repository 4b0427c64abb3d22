import { isTerminal } from "../commands/index.ts";
import { type TerminalStatus, turnStream } from "../events/index.ts";
import type { Admission, TurnRequest } from "./admission.ts";
import type { Callers } from "./callers.ts";
import type { Cause } from "./cause.ts";
import { responseHookScope } from "./hook-scope.ts";
import type { Store } from "./store.ts";

type BlockingParts = {
  readonly store: Store;
  readonly admission: Admission;
  readonly callers: Callers;
};

export type BlockingEnd = {
  readonly status: TerminalStatus;
  /** Why it ended so, where there is a reason. */
  readonly error?: string;
  readonly messageId?: string;
  readonly output?: unknown;
};

/** Turns whose caller waits. They are on record like all others, and take their place in the lane. */
export class BlockingTurns {
  readonly #parts: BlockingParts;

  constructor(parts: BlockingParts) {
    this.#parts = parts;
  }

  /** @throws what the agent's own code threw before the model was called. */
  async run(request: TurnRequest, cause: Cause): Promise<BlockingEnd> {
    const { admission, callers } = this.#parts;
    const { requestId, held } = request;
    const run = callers.wait(requestId, responseHookScope.isInside(), held.signal);
    try {
      await admission.start(admission.admit(request, cause));
    } catch (error) {
      callers.release(requestId);
      throw error;
    }
    const { thrown, output } = await run;
    if (thrown !== undefined) throw thrown;
    return this.#end(requestId, output);
  }

  #end(requestId: string, output: unknown): BlockingEnd {
    const { turn } = this.#parts.store.justWritten(turnStream(requestId));
    if (!turn || !isTerminal(turn.status)) throw new Error(`Turn ${requestId} was released before it ended`);
    return {
      status: turn.status,
      ...(turn.error !== undefined && { error: turn.error }),
      ...(turn.messageId !== undefined && { messageId: turn.messageId }),
      ...(output !== undefined && { output }),
    };
  }
}
