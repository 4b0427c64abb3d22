// What a prompt may be. Checked at both doors: the HTTP API's body, and calls over a client's WebSocket.
import { z } from "zod";

const MAX = 32_000;

export const promptText = z
  .string("must be a string")
  .max(MAX, `must have at most ${MAX} characters`)
  .regex(/\S/, "must not be blank");
