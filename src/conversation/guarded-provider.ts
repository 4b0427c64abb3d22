import type { ContextConfig, ContextProvider, SearchProvider, WritableContextProvider } from "agents/context";

/** How long a provider may take to give its content: several late ones must fit into a start, which has 30 s. */
const PATIENCE_MS = 5_000;

/** What to do when a provider does not do its part. */
export type ProviderCare = {
  /** It could not be read; `stale`: what it gave before is used instead. */
  readonly unreadable: (label: string, error: unknown, stale: boolean) => void;
  readonly readable: (label: string) => void;
  /** A write was refused: what is held in memory is not what is stored. */
  readonly unwritable: (label: string) => Promise<void>;
};

/**
 * A block whose provider cannot fail a start or a turn: what cannot be read is what it was before, or empty.
 * Writes and searches still fail loudly; the tools turn that into text for the model.
 */
export function guarded(config: ContextConfig, care: ProviderCare): ContextConfig {
  return config.provider ? { ...config, provider: guardProvider(config.provider, config.label, care) } : config;
}

type AnyProvider = ContextProvider | WritableContextProvider | SearchProvider;

function guardProvider(provider: AnyProvider, label: string, care: ProviderCare): AnyProvider {
  let last: string | null | undefined;
  const read = {
    get: async () => {
      try {
        last = await inTime(() => provider.get());
        care.readable(label);
      } catch (error) {
        care.unreadable(label, error, last !== undefined);
      }
      return last ?? null;
    },
    init: (name: string) => {
      try {
        provider.init?.(name);
      } catch (error) {
        care.unreadable(label, error, false);
      }
    },
  };
  // What a block can do is read from the members that are there: none may be added.
  const search = "search" in provider && { search: (query: string) => provider.search(query) };
  const set = "set" in provider && { set: guardedSet(provider, label, care) };
  return { ...read, ...search, ...set };
}

/** Content for a plain block, key and content for a searchable one. */
type Set = (...args: [string] | [string, string]) => Promise<void>;

function guardedSet(provider: { set?: unknown }, label: string, care: ProviderCare): Set {
  const set = provider.set as Set;
  return async (...args) => {
    try {
      await set.apply(provider, args);
    } catch (error) {
      await care.unwritable(label);
      throw error;
    }
  };
}

async function inTime<T>(read: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`The provider gave no content within ${PATIENCE_MS} ms`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([read(), late]);
  } finally {
    clearTimeout(timer);
  }
}
