/** What the model is told when neither `getSystemPrompt()` nor a context block says anything. */
export const DEFAULT_SYSTEM_PROMPT = `You are a helpful assistant.
Work out what the person needs and answer that, in plain words.
Use the tools you have when they give a better answer than memory, and say so when something is uncertain.
Make no change that was not asked for. When you are done, say briefly what you did.`;

/**
 * What a subclass says in its place. `agents` wraps every method of a subclass, inherited ones too: the text
 * tells whether it was overridden, the function does not.
 */
export const overriddenPrompt = (prompt: string): string | undefined =>
  prompt === DEFAULT_SYSTEM_PROMPT ? undefined : prompt;
