/** The files of drizzle/, as its generated index exports them. */
export type Migrations = {
  readonly journal: { readonly entries: readonly { readonly idx: number; readonly tag: string }[] };
  readonly migrations: Readonly<Record<string, string>>;
};

/** A migration failed and was rolled back whole; the object keeps the schema it had. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
  readonly tag: string;
  readonly statement: string;

  constructor(tag: string, statement: string, cause: unknown) {
    super(`Migration ${tag} failed at: ${statement}\n${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.tag = tag;
    this.statement = statement;
  }
}

/**
 * Run the migrations this object has not had. Our own ledger, not Drizzle's `__drizzle_migrations`: a
 * subclass may use Drizzle in the same object, and theirs would then be taken for ours.
 */
export function migrate(storage: DurableObjectStorage, { journal, migrations }: Migrations): void {
  storage.sql.exec("CREATE TABLE IF NOT EXISTS thinklog_migrations (idx INTEGER PRIMARY KEY, tag TEXT NOT NULL)");
  const { last } = storage.sql.exec<{ last: number | null }>("SELECT max(idx) AS last FROM thinklog_migrations").one();
  for (const { idx, tag } of journal.entries) {
    if (last !== null && idx <= last) continue;
    storage.transactionSync(() => {
      for (const statement of statements(migrations, idx, tag)) run(storage, tag, statement);
      storage.sql.exec("INSERT INTO thinklog_migrations (idx, tag) VALUES (?, ?)", idx, tag);
    });
  }
}

function statements(migrations: Migrations["migrations"], idx: number, tag: string): string[] {
  const text = migrations[`m${String(idx).padStart(4, "0")}`];
  if (text === undefined) throw new MigrationError(tag, "(the whole file)", "the file is not in the build");
  return text.split("--> statement-breakpoint");
}

function run(storage: DurableObjectStorage, tag: string, statement: string): void {
  try {
    storage.sql.exec(statement);
  } catch (cause) {
    throw new MigrationError(tag, statement.trim(), cause);
  }
}
