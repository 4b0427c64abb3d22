import { expect, test } from "vitest";
import { memory } from "../support/memory.ts";

type Preferences = { tier: string; depth?: { level: number } };

test("T51, T52: what was configured is there, with its type, after a restart too; before it there is null", async () => {
  const agent = await memory();
  await agent.in((self) => {
    expect(self.getConfig()).toBeNull();
    self.configure<Preferences>({ tier: "fast" });
    expect(self.getConfig<Preferences>()?.tier).toBe("fast");
  });
  await agent.restart();
  expect(await agent.in((self) => self.getConfig<Preferences>())).toEqual({ tier: "fast" });
});

test("T53: a second configuration replaces the first", async () => {
  const agent = await memory();
  await agent.in((self) => {
    self.configure({ tier: "fast", depth: { level: 1 } });
    self.configure({ tier: "slow" });
    expect(self.getConfig()).toEqual({ tier: "slow" });
  });
});

test("S78: what is read is a copy: changing it changes no later read", async () => {
  const agent = await memory();
  await agent.in((self) => {
    const given = { tier: "fast", depth: { level: 1 } };
    self.configure<Preferences>(given);
    given.depth.level = 2;
    const read = self.getConfig<Preferences>()!;
    read.depth!.level = 3;
    expect(self.getConfig()).toEqual({ tier: "fast", depth: { level: 1 } });
  });
});

test("S77: the same value again writes nothing", async () => {
  const agent = await memory();
  await agent.in((self, { storage }) => {
    self.configure({ tier: "fast" });
    const before = storage.sql.exec("SELECT total_changes() AS n").one().n;
    self.configure({ tier: "fast" });
    expect(storage.sql.exec("SELECT total_changes() AS n").one().n).toBe(before);
  });
});

const cycle: Record<string, unknown> = {};
cycle.self = cycle;

test.each([
  ["a cycle", cycle],
  ["a function", () => {}],
  ["nothing", undefined],
  ["a bigint", { n: 1n }],
])("S77: %s cannot be stored as JSON, and what was there stays", async (_, value) => {
  const agent = await memory();
  await agent.in((self) => {
    self.configure({ tier: "fast" });
    const refusal = { name: "ThinkInputError", code: "not-serializable", field: "config" };
    expect(() => self.configure(value)).toThrow(expect.objectContaining(refusal) as Error);
    expect(self.getConfig()).toEqual({ tier: "fast" });
  });
});

test("T56, T57, T58: configureSession reads what was stored, and null at the first start", async () => {
  const seen: unknown[] = [];
  const agent = await memory({
    session: (session, self) => {
      seen.push(self.getConfig<Preferences>()?.tier ?? "default");
      self.configure<Preferences>({ tier: "stored" });
      return session;
    },
  });
  await agent.in(() => {});
  await agent.restart();
  await agent.in(() => {});
  expect(seen).toEqual(["default", "stored"]);
});

test("T54, T55, S79: a value of the old table moves once, and never over a newer one", async () => {
  const agent = await memory();
  const legacy = (value: string) =>
    agent.in((_, { storage }) => {
      storage.sql.exec("CREATE TABLE assistant_config (session_id TEXT, key TEXT, value TEXT)");
      storage.sql.exec("INSERT INTO assistant_config VALUES ('', '_think_config', ?)", value);
    });
  await legacy('{"tier":"old"}');
  await agent.restart();
  expect(await agent.in((self) => self.getConfig())).toEqual({ tier: "old" });

  await agent.in((self) => self.configure({ tier: "new" }));
  await legacy('{"tier":"older"}');
  await agent.restart();
  await agent.in((self, { storage }) => {
    expect(self.getConfig()).toEqual({ tier: "new" });
    expect(storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'assistant_config'").toArray()).toEqual([]);
  });
});
