export type { Append, ExpectedVersion } from "./append.ts";
export * from "./catalogue.ts";
export * from "./codec.ts";
export * from "./envelope.ts";
export { upcast, upcasters, type Upcaster } from "./upcast.ts";
export { notificationIdOf } from "./notification.ts";
export { isForLater } from "./trigger.ts";
export { END_STATUS, type EndEvent, type TerminalStatus } from "./turn-end.ts";
