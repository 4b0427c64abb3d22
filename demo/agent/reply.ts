// An answer as data. An error that crosses into another isolate, or goes out over a WebSocket, keeps its message and
// loses everything else; a refusal in the answer keeps its code and the field it is about.

/** A request that could not be done because of what was asked. */
export type Refusal = { code: string; message: string; field?: string };

export type Reply<T> = { ok: true; value: T } | { ok: false; error: Refusal };

/** Runs `work`; Think's typed errors (a code and a field) become refusals, anything else stays an exception. */
export async function reply<T>(work: () => Promise<T>): Promise<Reply<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    const refusal = asRefusal(error);
    if (refusal) return { ok: false, error: refusal };
    throw error;
  }
}

export function refuse(error: Refusal): Reply<never> {
  return { ok: false, error };
}

function asRefusal(error: unknown): Refusal | undefined {
  if (!(error instanceof Error) || !("code" in error) || !("field" in error)) return undefined;
  const { code, field, message } = error;
  return typeof code === "string" && typeof field === "string" ? { code, message, field } : undefined;
}
