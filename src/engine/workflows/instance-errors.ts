import { messageOf } from "../message-of.ts";

/** The platform refuses to make an instance whose id is in use. Workers in production do; local ones do not. */
export const saysExists = (error: unknown): boolean => /already[ ._]exists/i.test(messageOf(error));

/** There is no such instance: an answer, where all other errors are none. */
export const saysMissing = (error: unknown): boolean =>
  /not[ ._]found|does not exist|doesn't exist/i.test(messageOf(error));
