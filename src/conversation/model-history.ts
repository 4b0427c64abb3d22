import { truncateOlderMessages } from "agents/chat";
import type { UIMessage } from "ai";
import { withoutMedia } from "./aged-media.ts";
import type { HistoryOptions, ModelHistory } from "./ports.ts";

/** The newest messages are never shortened, whatever the step. */
const LEAST_WHOLE = 4;
const DEFAULT_STEP = 8;

/**
 * The history as the model gets it: aged texts are cut and aged media becomes a marker. What is stored is not
 * touched. An aged message is made once and is the same object in every turn, so that what is derived from it
 * can be kept too.
 *
 * @returns The messages to convert. Tool results older than `keepRecent` are cut after the conversion
 *   (`truncateOlderToolResults`): a tool's `toModelOutput` has then seen them whole.
 */
export function historyForModel(messages: readonly UIMessage[], options: HistoryOptions): ModelHistory {
  const step = stepSize(options.truncationStep);
  const keepRecent = wholeMessages(messages.length, step);
  const aged = messages.length - keepRecent;
  const { media } = options;
  const mediaAged = media ? agedMedia(messages.length, keepRecent, step, media.keepRecentMessages) : 0;
  return {
    keepRecent,
    messages: messages.map((message, index) => {
      if (index >= aged && index >= mediaAged) return message;
      const light = media && index < mediaAged ? remembered(message, media.minPartBytes) : message;
      return index < aged ? cut(light) : light;
    }),
  };
}

/** Moves only every `step` messages, so that a provider can cache the prompt up to there. */
function wholeMessages(count: number, step: number): number {
  if (count <= LEAST_WHOLE) return LEAST_WHOLE;
  return step === Number.POSITIVE_INFINITY ? count : LEAST_WHOLE + ((count - LEAST_WHOLE) % step);
}

/** The border for media: that of the texts, moved back by whole steps until enough messages are above it. */
function agedMedia(count: number, keepRecent: number, step: number, atLeast: number): number {
  if (step === Number.POSITIVE_INFINITY) return Math.max(0, Math.floor(count / atLeast - 1) * atLeast);
  const stepsBack = Math.ceil(Math.max(0, atLeast - keepRecent) / step);
  return Math.max(0, count - keepRecent - stepsBack * step);
}

function stepSize(step: number): number {
  if (step === Number.POSITIVE_INFINITY) return step;
  return Number.isFinite(step) && step >= 1 ? Math.trunc(step) : DEFAULT_STEP;
}

const light = new WeakMap<UIMessage, { readonly minPartBytes: number; readonly message: UIMessage }>();

function remembered(message: UIMessage, minPartBytes: number): UIMessage {
  const known = light.get(message);
  if (known?.minPartBytes === minPartBytes) return known.message;
  const made = withoutMedia(message, minPartBytes);
  light.set(message, { minPartBytes, message: made });
  return made;
}

const cuts = new WeakMap<UIMessage, UIMessage>();

/** One message at a time, so that each is cut once. */
function cut(message: UIMessage): UIMessage {
  const known = cuts.get(message);
  if (known) return known;
  const [made = message] = truncateOlderMessages([message], { keepRecent: 0, toolOutputs: false }) as UIMessage[];
  cuts.set(message, made);
  return made;
}
