/** A result of an RPC call keeps resources of the other side until it is released. Plain objects have none. */
export function release(value: unknown): void {
  if (typeof value === "object" && value !== null && Symbol.dispose in value) (value as Disposable)[Symbol.dispose]();
}

/** What is made of a result, which is released afterwards, whatever happens. */
export async function releasing<Value, Result>(value: Value, use: (value: Value) => Result): Promise<Awaited<Result>> {
  try {
    return await use(value);
  } finally {
    release(value);
  }
}
