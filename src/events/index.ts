export type { Append, ExpectedVersion } from "./append.ts";
export * from "./catalogue.ts";
export * from "./codec.ts";
export * from "./envelope.ts";
export { upcast, upcasters, type Upcaster } from "./upcast.ts";
