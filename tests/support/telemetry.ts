import { subscribe } from "node:diagnostics_channel";

export type Published = { readonly type: string; readonly payload: Record<string, unknown> };

const published = new Map<string, Published[]>();
const CHANNELS = ["agents:message", "agents:chat", "agents:transcript"];

for (const channel of CHANNELS) {
  subscribe(channel, (message) => {
    const { name, type, payload } = message as Published & { name: string };
    published.set(name, [...(published.get(name) ?? []), { type, payload }]);
  });
}

/** What an agent published on its message and chat channels, in order. */
export const publishedBy = (name: string): readonly Published[] => published.get(name) ?? [];
