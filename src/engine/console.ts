/** Faults that belong to nobody's promise. The only place in the engine that prints. */
export const report = (what: string, error: unknown): void => console.error(`[thinklog] ${what}`, error);
