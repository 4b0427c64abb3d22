import { iterateWithStallWatchdog } from "agents/chat";
import type { TurnPorts } from "./ports.ts";

/** Ends a stream in which nothing happens any more. The only place that knows the watchdog of `agents/chat`. */
export class StallWatchdog {
  readonly #ports: Pick<TurnPorts, "telemetry">;
  readonly #requestId: string;
  readonly #timeoutMs: number;
  readonly #stalled = new AbortController();

  /** @param timeoutMs - Between two parts, tools that run included; 0 or less: it does not watch. */
  constructor(ports: Pick<TurnPorts, "telemetry">, requestId: string, timeoutMs: number) {
    this.#ports = ports;
    this.#requestId = requestId;
    this.#timeoutMs = timeoutMs;
  }

  /** What the model's call is to listen to. */
  signal(turn: AbortSignal): AbortSignal {
    return this.#watches ? AbortSignal.any([turn, this.#stalled.signal]) : turn;
  }

  /** The same parts; throws when none has come for too long. */
  watch<T>(stream: AsyncIterable<T>): AsyncIterable<T> {
    return this.#watches ? iterateWithStallWatchdog(stream, this.#timeoutMs, () => this.#stall()) : stream;
  }

  get #watches(): boolean {
    return this.#timeoutMs > 0;
  }

  #stall(): void {
    this.#ports.telemetry.emit("chat:stream:stalled", { requestId: this.#requestId, timeoutMs: this.#timeoutMs });
    this.#stalled.abort(new Error("The stream stalled."));
  }
}
