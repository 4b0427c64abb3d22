/** What drizzle-kit writes into migrations.js: the journal, and the text of each file by `m0000`, `m0001` … */
declare const migrations: {
  journal: { entries: { idx: number; tag: string; when: number }[] };
  migrations: Record<string, string>;
};
export default migrations;
