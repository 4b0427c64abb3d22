/**
 * Which turns wait for a call: the caller's turn, and those that wait for it. It travels with calls
 * between agents, so that one which would wait for itself is refused instead of waiting for ever.
 */
export type CallChain = readonly string[];

/** One link: the agent and its turn. */
export const chainLink = (agentId: string, requestId: string): string => `${agentId}/${requestId}`;

/** @throws when this agent's own running turn is among those that wait for the call. */
export function assertNoCycle(chain: CallChain | undefined, agentId: string, runningTurnId: string | undefined): void {
  if (!chain || runningTurnId === undefined) return;
  const own = chain.indexOf(chainLink(agentId, runningTurnId));
  if (own === -1) return;
  throw new Error(
    `This call would wait for itself: it comes from turn ${runningTurnId} of this agent, which waits for it through ` +
      `${chain.length - own} agent${chain.length - own === 1 ? "" : "s"}; use submitMessages() for what may run afterwards`,
  );
}
