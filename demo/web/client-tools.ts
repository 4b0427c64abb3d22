// Tools that only the browser can answer. Their schemas go out with each request of the chat.
import type { JSONSchema7 } from "ai";

type ClientTool = { description: string; parameters: JSONSchema7; execute: () => unknown };

export const clientTools = {
  getTimeZone: {
    description: "The time zone of the person who asks.",
    parameters: { type: "object", properties: {} },
    execute: () => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      return { timeZone, summary: `This browser is in the time zone ${timeZone}.` };
    },
  },
} satisfies Record<string, ClientTool>;

/** The tool of that name; undefined for a tool of the server. */
export function clientTool(name: string): ClientTool | undefined {
  return Object.entries(clientTools).find(([known]) => known === name)?.[1];
}
