export type { Effect } from "./effect.ts";
export { isSubmission, react } from "./react.ts";
export { reconcile, type WakeView } from "./reconcile.ts";
