import { expect, test, vi } from "vitest";
import { HookScope } from "../../src/engine/hook-scope.ts";

test("what a hook throws is reported, and who waits for it goes on", async () => {
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  await new HookScope("onEvent").run("turn 1", () => Promise.reject(new Error("no")));
  expect(printed).toHaveBeenCalledWith("[thinklog] onEvent threw for turn 1", new Error("no"));
  printed.mockRestore();
});

test("a hook that never returns is waited for up to the limit, and said to be late", async () => {
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  await new HookScope("onEvent", 5).run("turn 1", () => new Promise(() => {}));
  expect(printed.mock.calls[0]?.[0]).toContain("onEvent has not returned for turn 1 after 5 ms");
  printed.mockRestore();
});

test("code is inside a hook until the hook has returned, also what it leaves running", async () => {
  const scope = new HookScope("onEvent");
  const seen: boolean[] = [];
  const left = Promise.withResolvers<void>();
  const later = Promise.withResolvers<void>();
  await scope.run("turn 1", async () => {
    seen.push(scope.isInside());
    void left.promise.then(() => {
      seen.push(scope.isInside());
      later.resolve();
    });
    await Promise.resolve();
  });
  left.resolve();
  await later.promise;
  expect([...seen, scope.isInside()]).toEqual([true, false, false]);
});
