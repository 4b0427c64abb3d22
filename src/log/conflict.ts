import type { ExpectedVersion } from "../events/index.ts";

/** Somebody else appended to the stream first. Nothing was written. */
export class VersionConflictError extends Error {
  override readonly name = "VersionConflictError";
  readonly stream: string;
  readonly expectedVersion: ExpectedVersion;
  readonly actualVersion: number;

  constructor(stream: string, expectedVersion: ExpectedVersion, actualVersion: number) {
    super(`Stream ${stream} is at version ${actualVersion}, not at the expected ${expectedVersion}`);
    this.stream = stream;
    this.expectedVersion = expectedVersion;
    this.actualVersion = actualVersion;
  }
}

export function assertVersion(stream: string, expected: ExpectedVersion, actual: number): void {
  if (expected === "any") return;
  if (actual !== (expected === "none" ? 0 : expected)) throw new VersionConflictError(stream, expected, actual);
}
