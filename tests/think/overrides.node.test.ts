import { expect, test } from "vitest";
import { noteOverrides, noteWrappers, overrides } from "../../src/overrides.ts";

class Base {
  hook(): void {}
}

/** What `agents` does at the first construction of a class. */
const wrapLikeAgents = (prototype: { hook: () => void }): void => {
  const inherited = prototype.hook;
  prototype.hook = function (this: Base) {
    inherited.call(this);
  };
};

function construct(prototype: { hook: () => void }): boolean {
  noteOverrides(prototype, Base.prototype, ["hook"]);
  wrapLikeAgents(prototype);
  noteWrappers(prototype, ["hook"]);
  return overrides(prototype, "hook");
}

test("an inherited hook is none of the subclass, also when it is wrapped", () => {
  class Plain extends Base {}
  expect(construct(Plain.prototype)).toBe(false);
  expect(construct(Plain.prototype)).toBe(false);
});

test("an overridden hook is one, and so it is for subclasses of that class", () => {
  class Own extends Base {
    override hook(): void {}
  }
  class Further extends Own {}
  expect(construct(Own.prototype)).toBe(true);
  expect(construct(Further.prototype)).toBe(true);
});

test("a subclass of a wrapped class that overrides nothing has no hook either", () => {
  class Plain extends Base {}
  class Further extends Plain {}
  construct(Plain.prototype);
  expect(construct(Further.prototype)).toBe(false);
});
