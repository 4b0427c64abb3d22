import { defineConfig } from "drizzle-kit";

/**
 * `npm run migrations` compares the tables below with the last snapshot and writes the next numbered
 * SQL file. The engine runs those files once per Durable Object (src/engine/migrate.ts). What Drizzle
 * cannot say (WITHOUT ROWID, triggers) is written into the SQL by hand: docs/decisions/migrations.md.
 */
export default defineConfig({
  dialect: "sqlite",
  driver: "durable-sqlite",
  schema: [
    "./src/log/tables.ts",
    "./src/projections/*/table.ts",
    "./src/engine/tables.ts",
    "./src/conversation/tables.ts",
  ],
  out: "./drizzle",
});
