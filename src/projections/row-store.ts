import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { DrizzleSqliteDODatabase as Database } from "drizzle-orm/durable-sqlite";
import type { SQLiteColumn, SQLiteTable, SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { RowStore } from "./projection.ts";

type Shape<Table extends SQLiteTable> = {
  readonly key: keyof Table["$inferSelect"] & string;
  /**
   * Columns that change after the insert, in groups that are written together. A set column rewrites its
   * index entries, billed, even when the value is the same: so only a group with a difference is written.
   */
  readonly mutable: readonly (readonly (keyof Table["$inferSelect"] & string)[])[];
};

/** The rows of one read model in its table, through statements prepared once. */
export function rowStore<Table extends SQLiteTable, Key extends string | number>(
  db: Database,
  table: Table,
  { key, mutable }: Shape<Table>,
): RowStore<Table["$inferSelect"], Key> {
  type Row = Table["$inferSelect"];
  const columns: Record<string, SQLiteColumn> = getTableColumns(table);
  const keyColumn = columns[key] as SQLiteColumn;
  const isRow = eq(keyColumn, sql.placeholder("key"));

  const load = db.select().from(table).where(isRow).prepare();
  const remove = db.delete(table).where(isRow).prepare();
  const insert = db
    .insert(table)
    .values(assignments(Object.keys(columns), sql.placeholder) as Table["$inferInsert"])
    .prepare();
  const updates = mutable.map((names) => ({
    names,
    statement: db
      .update(table)
      .set(assignments(names, (name) => sql`${sql.placeholder(name)}`) as SQLiteUpdateSetSource<Table>)
      .where(isRow)
      .prepare(),
  }));

  return {
    keyOf: (row) => row[key] as Key,
    load: (value) => load.get({ key: value }) as Row | undefined,
    save: (row, before) => {
      if (before === undefined) {
        insert.run(row);
        return;
      }
      for (const { names, statement } of updates) {
        if (names.some((name) => row[name] !== before[name])) statement.run({ ...row, key: row[key] });
      }
    },
    remove: (value) => void remove.run({ key: value }),
    all: () => db.select().from(table).orderBy(keyColumn).all() as Row[],
  };
}

const assignments = (names: readonly string[], value: (name: string) => SQL | ReturnType<typeof sql.placeholder>) =>
  Object.fromEntries(names.map((name) => [name, value(name)]));
