/** Faults that belong to nobody's promise. The only place in the engine that prints. */
export const report = (what: string, ...details: unknown[]): void => console.error(`[thinklog] ${what}`, ...details);

/** Something that the author of the agent should know, though it is no fault. */
export const warn = (what: string): void => console.warn(`[thinklog] ${what}`);
