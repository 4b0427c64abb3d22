import { defineConfig } from "drizzle-kit";

/**
 * `npm run migrations` compares the tables below with the last snapshot and writes the next
 * numbered SQL file. The engine runs those files once per Durable Object (see src/engine/migrate.ts).
 */
export default defineConfig({
  dialect: "sqlite",
  driver: "durable-sqlite",
  schema: ["./src/log/tables.ts", "./src/projections/*/table.ts"],
  out: "./drizzle",
});
