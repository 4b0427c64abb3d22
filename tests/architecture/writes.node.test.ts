import { describe, expect, test } from "vitest";
import { checkArchitecture } from "../../scripts/architecture/check.ts";

const tables = {
  "src/log/tables.ts": `export const events = sqliteTable("thinklog_events", {});`,
  "src/projections/queue/table.ts": `export const queue = sqliteTable("thinklog_queue", {});`,
};
const engineTable = `export const stamp = sqliteTable("thinklog_stamp", {});`;
const messages = (path: string, text: string) =>
  checkArchitecture(Object.entries({ ...tables, "src/engine/tables.ts": engineTable, [path]: text })).map(
    (found) => found.message,
  );

describe("only the layer that declares a table writes it", () => {
  const fromLog = `import { events } from "../log/tables.ts";`;
  const fromQueue = `import { queue } from "../projections/queue/table.ts";`;

  test.each([
    ["src/engine/a.ts", `${fromLog} db.insert(events).values(row);`],
    ["src/engine/a.ts", `${fromLog} db.update(events).set(row);`],
    ["src/engine/a.ts", `${fromLog} db.delete(events);`],
    ["src/engine/a.ts", `${fromQueue} db.insert(queue).values(row);`],
    ["src/turn/a.ts", `import { stamp } from "../engine/tables.ts"; db.update(stamp).set(row);`],
    ["src/engine/a.ts", `import * as tables from "../log/tables.ts"; db.delete(tables.events);`],
    ["src/engine/a.ts", `export const write = (table) => db.insert(table);`],
    ["src/queries/a.ts", `sql.exec("INSERT INTO thinklog_events VALUES (1)");`],
    ["src/queries/a.ts", `sql.exec("insert or replace into \\"thinklog_queue\\" values (1)");`],
    ["src/queries/a.ts", "sql.exec(`DELETE FROM thinklog_events WHERE position = ${at}`);"],
    ["src/queries/a.ts", `sql.exec("UPDATE thinklog_queue SET x = 1");`],
    ["src/queries/a.ts", `${fromLog} run(sql\`DELETE FROM \${events}\`);`],
    ["src/queries/a.ts", "run(sql`INSERT INTO ${table} VALUES (1)`);"],
    ["src/queries/a.ts", `sql.exec("CREATE TABLE thinklog_queue (a)"); sql.exec("DELETE FROM thinklog_queue");`],
    ["src/log/a.ts", `sql.exec("DELETE FROM thinklog_queue");`],
    ["src/projections/a.ts", `sql.exec("DELETE FROM thinklog_events");`],
    ["src/think.ts", `this.sql\`UPDATE thinklog_events SET type = 'x'\`;`],
  ])("%s: %s", (path, text) => {
    expect(messages(path, text)).toEqual([expect.stringMatching(/ writes .*; only the layer/)]);
  });

  test.each([
    ["src/log/a.ts", `import { events } from "./tables.ts"; db.insert(events).values(row);`],
    ["src/projections/a.ts", `import { queue } from "./queue/table.ts"; db.delete(queue);`],
    ["src/projections/a.ts", "run(sql`INSERT INTO ${shadow} SELECT 1`);"],
    ["src/engine/a.ts", `import { stamp } from "./tables.ts"; db.insert(stamp).values(row);`],
    [
      "src/engine/a.ts",
      `sql.exec("CREATE TABLE IF NOT EXISTS thinklog_x (a)"); sql.exec("INSERT INTO thinklog_x (a)");`,
    ],
    ["src/engine/a.ts", `live.delete(turnId); hash.update(text);`],
    ["src/engine/a.ts", `${fromLog} db.select().from(events);`],
  ])("but %s may: %s", (path, text) => {
    expect(messages(path, text)).toEqual([]);
  });
});

describe("a transaction takes no async callback", () => {
  test.each([
    "storage.transactionSync(async () => {});",
    "db.transaction(async (tx) => {});",
    "db.transaction(async function () {});",
    "async function work() {} storage.transactionSync(work);",
    "const work = async () => {}; db.transaction(work);",
  ])("%s", (text) => {
    expect(messages("src/engine/a.ts", text)).toEqual([expect.stringMatching("would not roll back")]);
  });

  test("a synchronous one is fine", () => {
    expect(
      messages("src/engine/a.ts", "storage.transactionSync(() => append()); const later = async () => {};"),
    ).toEqual([]);
  });
});
