/**
 * Counts what a Durable Object's storage would be billed for, over the whole object: every SQL statement
 * of every library, key-value writes and alarms. The real `ctx` stays (native classes check its brand);
 * only its `storage` property is replaced by a proxy, before the class under test sees it.
 *
 * Cursors are lazy: `rowsRead` grows while rows are taken. The native cursor is handed out untouched and
 * kept until the next reading, when it has been used up, so the counting changes nothing in how code runs.
 */
export interface Counts {
  statements: number;
  rowsRead: number;
  rowsWritten: number;
  /** Keys put or deleted through the key-value calls, synchronous or not. */
  kvWrites: number;
  alarmsSet: number;
  alarmsDeleted: number;
  /** What is paid for as row writes: `rowsWritten + kvWrites + alarmsSet`. */
  billed: number;
}

export interface Meter {
  /** Totals since the last reset. */
  read(): Counts;
  reset(): void;
}

type Call = (...args: unknown[]) => unknown;

interface Tally {
  statements: number;
  rowsRead: number;
  rowsWritten: number;
  kvWrites: number;
  alarmsSet: number;
  alarmsDeleted: number;
}

const zero = (): Tally => ({ statements: 0, rowsRead: 0, rowsWritten: 0, kvWrites: 0, alarmsSet: 0, alarmsDeleted: 0 });

/** Replaces the storage of `ctx` by a counting one. Call it before `super(ctx, env)`. */
export function meterStorage(ctx: DurableObjectState): Meter {
  let tally = zero();
  let open: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];

  const settle = (): void => {
    for (const cursor of open) {
      tally.rowsRead += cursor.rowsRead;
      tally.rowsWritten += cursor.rowsWritten;
    }
    open = [];
  };

  const sql = intercept(ctx.storage.sql, {
    exec:
      (native) =>
      (query, ...bindings) => {
        const cursor = native(query, ...bindings) as SqlStorageCursor<Record<string, SqlStorageValue>>;
        tally.statements += 1;
        open.push(cursor);
        return cursor;
      },
    // These would run statements past the meter; nobody uses them today, so say so when somebody does.
    prepare: () => () => unmetered("sql.prepare"),
    ingest: () => () => unmetered("sql.ingest"),
  });

  const writes: Record<string, (native: Call) => Call> = {
    put:
      (native) =>
      (key, ...rest) => {
        tally.kvWrites += typeof key === "object" && key !== null ? Object.keys(key).length : 1;
        return native(key, ...rest);
      },
    delete:
      (native) =>
      (key, ...rest) => {
        tally.kvWrites += Array.isArray(key) ? key.length : 1;
        return native(key, ...rest);
      },
    setAlarm:
      (native) =>
      (...args) => {
        tally.alarmsSet += 1;
        return native(...args);
      },
    deleteAlarm:
      (native) =>
      (...args) => {
        tally.alarmsDeleted += 1;
        return native(...args);
      },
  };

  const kv = intercept(ctx.storage.kv, writes);
  const storage = intercept(
    ctx.storage,
    {
      ...writes,
      transaction: (native) => (body) =>
        native((txn: DurableObjectTransaction) => (body as Call)(intercept(txn, writes))),
    },
    { sql, kv },
  );
  Object.defineProperty(ctx, "storage", { value: storage, configurable: true });

  return {
    read: () => {
      settle();
      return { ...tally, billed: tally.rowsWritten + tally.kvWrites + tally.alarmsSet };
    },
    reset: () => {
      open = [];
      tally = zero();
    },
  };
}

/**
 * A proxy of a native object: `methods` are wrapped, `parts` replaced, and everything else is bound to the
 * native object, because native methods refuse any other `this`.
 */
function intercept<T extends object>(
  native: T,
  methods: Record<string, (native: Call) => Call>,
  parts: Record<string, object> = {},
): T {
  const bound = new Map<PropertyKey, Call>();
  return new Proxy(native, {
    get(target, property) {
      if (typeof property === "string" && property in parts) return parts[property];
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== "function") return value;
      let call = bound.get(property);
      if (!call) {
        call = value.bind(target) as Call;
        const wrap = typeof property === "string" ? methods[property] : undefined;
        if (wrap) call = wrap(call);
        bound.set(property, call);
      }
      return call;
    },
  });
}

function unmetered(what: string): never {
  throw new Error(`The meter cannot count ${what}; teach it before trusting its numbers.`);
}
