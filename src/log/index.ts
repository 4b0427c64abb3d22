export { Belief } from "./belief.ts";
export { VersionConflictError } from "./conflict.ts";
export { type AppendContext, EventLog, fromRow } from "./event-log.ts";
export { LruMap } from "./lru-map.ts";
export { PayloadStore, type PreparedPayload } from "./payload-store.ts";
export { readStreamRows } from "./read-stream.ts";
export type { EventRow } from "./tables.ts";
export { type Verification, verifyLog } from "./verify.ts";
