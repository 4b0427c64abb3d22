/** Types that hold what is said of types: `Expect<Equal<…>>` does not compile when it is not so. */
export type Expect<T extends true> = T;
export type ExpectNot<T extends false> = T;

/** The same type, told apart as far as the compiler can. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** May a value of the first be given where the second is asked for? */
export type Assignable<From, To> = [From] extends [To] ? true : false;

/** Each may be given where the other is asked for: programs cannot tell them apart by assigning. */
export type Interchangeable<A, B> = [Assignable<A, B>, Assignable<B, A>] extends [true, true] ? true : false;

export type IsAny<T> = 0 extends 1 & T ? true : false;
export type IsNever<T> = [T] extends [never] ? true : false;
