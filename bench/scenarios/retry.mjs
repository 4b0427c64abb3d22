/** What it costs to submit the same payload under a known idempotency key again: while the first still waits, and after it ended. */
import { countsOf, queueUp, settledCounts, untilTicks } from "../lib/waiting.mjs";

const ORDER = { idempotencyKey: "order-1", messageId: "message-1" };

export const retry = {
  title: "retry of a known key",
  rows: {
    pendingWritten: "pending: rows written",
    pendingBilled: "pending: billed",
    pendingRead: "pending: rows read",
    terminalWritten: "terminal: rows written",
    terminalBilled: "terminal: billed",
    terminalRead: "terminal: rows read",
  },
  async run({ object }) {
    const agent = object("metered");
    await queueUp(agent, 0);
    await agent.call("benchSubmit", ORDER);
    const pending = await retried(agent, "pending");
    await agent.call("benchRelease");
    await untilTicks(agent, 2);
    await settledCounts(agent);
    const terminal = await retried(agent, "completed");
    return {
      pendingWritten: pending.rowsWritten,
      pendingBilled: pending.billed,
      pendingRead: pending.rowsRead,
      terminalWritten: terminal.rowsWritten,
      terminalBilled: terminal.billed,
      terminalRead: terminal.rowsRead,
    };
  },
};

/** The counts of a retry, which must find the submission in that state. */
async function retried(agent, status) {
  await settledCounts(agent);
  const counts = await countsOf(agent, "benchSubmit", ORDER);
  const receipt = await agent.call("benchSubmit", ORDER);
  if (receipt.accepted || receipt.status !== status) {
    throw new Error(`A retry should find the submission ${status}; it answered ${JSON.stringify(receipt)}.`);
  }
  return counts;
}
