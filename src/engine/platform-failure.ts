import { isPlatformTransientError } from "agents";

/**
 * The platform failed, not the turn: a code update, a lost network, a storage reset. Such a failure says
 * nothing about the turn, so it must not become its outcome.
 */
export const isPlatformFailure = (error: unknown): boolean => isPlatformTransientError(error);
