import type { ClientToolSchema } from "./adapter.ts";

const KEY = "thinklog:client-inputs";

/** JSON of what the last request brought; absent where it brought none. */
export type ClientInput = { readonly clientTools?: string; readonly body?: string };

/**
 * What the last request of a client brought along, for turns that follow from it and for requests that do not say. The
 * turn's own record is what counts for the turn.
 */
export class ClientInputs {
  readonly #kv: SyncKvStorage;
  #last: ClientInput | undefined;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  get last(): ClientInput {
    this.#last ??= this.#kv.get<ClientInput>(KEY) ?? {};
    return this.#last;
  }

  /**
   * A request begins.
   *
   * @param clientTools - `undefined`: those of the request before; none: there are none any more.
   */
  request(clientTools: readonly ClientToolSchema[] | undefined, body: string | undefined): ClientInput {
    const tools = clientTools === undefined ? this.last.clientTools : toJson(clientTools);
    return this.#keep({ ...(tools !== undefined && { clientTools: tools }), ...(body !== undefined && { body }) });
  }

  /** An answer to a tool says which tools there are now. */
  answer(clientTools: readonly ClientToolSchema[] | undefined): void {
    const tools = clientTools && toJson(clientTools);
    if (tools !== undefined) this.#keep({ ...this.last, clientTools: tools });
  }

  forget(): void {
    this.#keep({});
  }

  #keep(input: ClientInput): ClientInput {
    if (JSON.stringify(input) === JSON.stringify(this.last)) return input;
    if (Object.keys(input).length === 0) this.#kv.delete(KEY);
    else this.#kv.put(KEY, input);
    this.#last = input;
    return input;
  }
}

const toJson = (tools: readonly ClientToolSchema[]): string | undefined =>
  tools.length === 0 ? undefined : JSON.stringify(tools);
