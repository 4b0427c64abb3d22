const AsyncGeneratorFunction = async function* () {}.constructor;

/** Is it an async generator function? Only its outputs are streamed one by one. */
export const isAsyncGenerator = (execute: unknown): boolean => execute instanceof AsyncGeneratorFunction;

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

/** A tool's output: of an async iterable that is not a generator's, the last value. */
export async function settledOutput(output: unknown): Promise<unknown> {
  const value = await output;
  if (!isAsyncIterable(value)) return value;
  let last: unknown;
  for await (const item of value) last = item;
  return last;
}
