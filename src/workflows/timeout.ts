/**
 * Whether a wait ended because its time was over. The engine's class is not to be had, and its name is lost when the
 * error is stored and read again: then the message is all there is.
 */
export function isTimeout(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { name, message } = error as { readonly name?: unknown; readonly message?: unknown };
  return (
    name === "WorkflowTimeoutError" || /^(WorkflowTimeoutError: )?Execution timed out after /.test(String(message))
  );
}
