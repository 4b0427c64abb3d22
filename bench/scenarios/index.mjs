/** The scenarios of the suites, by the number that `--only` takes. */
import { acknowledgement } from "./acknowledgement.mjs";
import { drainCost } from "./drain-cost.mjs";
import { drainSpeed } from "./drain-speed.mjs";
import { listing } from "./listing.mjs";
import { loneBlockingTurn } from "./lone-blocking-turn.mjs";
import { loneTurn } from "./lone-turn.mjs";
import { longConversation } from "./long-conversation.mjs";
import { newObject } from "./new-object.mjs";
import { promptCost } from "./prompt-cost.mjs";
import { promptRoundTrip } from "./prompt-round-trip.mjs";
import { retry } from "./retry.mjs";
import { submitBehindQueue } from "./submit-behind-queue.mjs";
import { toolSteps } from "./tool-steps.mjs";
import { streamedAnswer } from "./streamed-answer.mjs";
import { streamedRows } from "./streamed-rows.mjs";
import { streamResume } from "./stream-resume.mjs";
import { timeToFirstFrame } from "./time-to-first-frame.mjs";
import { turnOverhead } from "./turn-overhead.mjs";

/** Each has `run(bench)`, which answers one number for each key of `rows`; see lib/suite.mjs for `bench`. */
export const submissions = {
  1: loneTurn,
  2: drainCost,
  3: submitBehindQueue,
  4: retry,
  5: listing,
  6: newObject,
  7: drainSpeed,
  8: acknowledgement,
  9: turnOverhead,
};

/** Blocking turns; the first scenario is shared. */
export const turns = {
  1: turnOverhead,
  2: loneBlockingTurn,
  3: longConversation,
  4: toolSteps,
};

/** Prompts of workflows, in real local Workflows. */
export const workflows = {
  1: promptRoundTrip,
  2: promptCost,
};

/** Chat over WebSockets, as a browser's client sees it. */
export const wire = {
  1: timeToFirstFrame,
  2: streamedAnswer,
  3: streamedRows,
  4: streamResume,
};
