/**
 * Which hooks a subclass overrides. Asking `this.hook === Think.prototype.hook` does not tell: at the first
 * construction of a class, `agents` puts a wrapper of every inherited method on its prototype. So it is
 * asked before `super()`, once for each class, and the wrappers of what was not overridden are remembered.
 */
type Prototype = Readonly<Record<string, unknown>>;

const known = new WeakMap<Prototype, ReadonlySet<string>>();
const defaults = new WeakSet<object>();

/** Call before `super()`, with `new.target.prototype`. */
export function noteOverrides(prototype: object, base: object, names: readonly string[]): void {
  const own = prototype as Prototype;
  const standard = base as Prototype;
  if (known.has(own)) return;
  const overridden = names.filter((name) => own[name] !== standard[name] && !defaults.has(own[name] as object));
  known.set(own, new Set(overridden));
}

/** Call after `super()`: what stands for a hook that is not overridden is no override in a further subclass. */
export function noteWrappers(prototype: object, names: readonly string[]): void {
  const own = prototype as Prototype;
  for (const name of names) if (!overrides(own, name)) defaults.add(own[name] as object);
}

export const overrides = (prototype: object, name: string): boolean =>
  known.get(prototype as Prototype)?.has(name) ?? true;
