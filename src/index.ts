export { PayloadMismatchError, SubmissionConflictError, ThinkInputError } from "./errors.ts";
export { Think } from "./think.ts";
export type * from "./turn/hook-types.ts";
export type * from "./types.ts";
