import type { UIMessage } from "ai";
import { expect, test } from "vitest";
import { withoutMedia } from "../../src/conversation/aged-media.ts";
import { mediaAgeing } from "../../src/conversation/media-options.ts";
import { historyForModel } from "../../src/conversation/model-history.ts";
import { ids, memory, said } from "../support/memory.ts";

type Part = UIMessage["parts"][number];

const LARGE = 40_000;
const base64 = "A".repeat(Math.ceil(LARGE / 3) * 4);
const picture: Part = { type: "file", mediaType: "image/png", url: `data:image/png;base64,${base64}` };

const message = (...parts: Part[]): UIMessage => ({ id: "m1", role: "user", parts });

const toolOutput = (output: unknown, more: Record<string, unknown> = {}): Part =>
  ({ type: "tool-look", toolCallId: "c", state: "output-available", input: {}, output, ...more }) as Part;

test("S72, T367: a large file part becomes a marker; the message that was given keeps its bytes", () => {
  const given = message({ type: "text", text: "see" }, picture);
  const { parts } = withoutMedia(given, 32_768);
  expect(parts).toEqual([
    { type: "text", text: "see" },
    { type: "text", text: "[evicted image/png, 40002 bytes; preserved in message m1, item 1]" },
  ]);
  expect(given.parts[1]).toBe(picture);
});

test.each([
  ["a small file", { type: "file", mediaType: "image/png", url: "data:image/png;base64,AAAA" }],
  ["a file elsewhere", { type: "file", mediaType: "image/png", url: `https://example.com/${"x".repeat(LARGE)}` }],
  ["a long text", { type: "text", text: "x".repeat(LARGE) }],
  ["a provider's own tool", toolOutput("x".repeat(LARGE), { providerExecuted: true })],
  ["a call without output", toolOutput(undefined, { state: "input-available" })],
] as [string, Part][])("S71, T367: %s is left alone, and the message stays the same object", (_, part) => {
  const given = message(part);
  expect(withoutMedia(given, 32_768)).toBe(given);
});

test("S71, T367: large strings in a tool's output become markers, and its shape stays", () => {
  const output = {
    kind: "image",
    mediaType: "image/jpeg",
    data: base64,
    pages: [{ text: "x".repeat(LARGE) }, "short"],
    n: 1,
  };
  for (const type of ["tool-look", "dynamic-tool"]) {
    const { parts } = withoutMedia(message(toolOutput(output, { type, toolName: "look" })), 32_768);
    expect(parts).toMatchObject([
      {
        output: {
          kind: "image",
          mediaType: "image/jpeg",
          data: expect.stringMatching(
            /^\[evicted image\/jpeg, \d+ bytes; preserved in message m1, item 1\]$/,
          ) as string,
          pages: [{ text: "[evicted 40000 bytes; preserved in message m1, item 2]" }, "short"],
          n: 1,
        },
      },
    ]);
  }
});

test("T367: what is nested deeper than eight levels is left alone", () => {
  const nest = (depth: number): unknown => (depth === 0 ? "x".repeat(LARGE) : { inner: nest(depth - 1) });
  const shallow = message(toolOutput(nest(8)));
  expect(withoutMedia(shallow, 32_768)).not.toBe(shallow);
  const deep = message(toolOutput(nest(9)));
  expect(withoutMedia(deep, 32_768)).toBe(deep);
});

test("S69, T366, T360: false disables, true and {} mean the defaults, parts are merged, four messages are the least", () => {
  const defaults = { keepRecentMessages: 8, minPartBytes: 32_768 };
  expect(mediaAgeing(false)).toBeUndefined();
  expect([mediaAgeing(true), mediaAgeing({}), mediaAgeing({ minPartBytes: Number.NaN })]).toEqual([
    defaults,
    defaults,
    defaults,
  ]);
  expect(mediaAgeing({ minPartBytes: 10 })).toEqual({ ...defaults, minPartBytes: 10 });
  expect(mediaAgeing({ keepRecentMessages: 1 })).toEqual({ ...defaults, keepRecentMessages: 4 });
});

const long = (count: number): UIMessage[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `m${n}`,
    role: "user",
    parts: [picture, { type: "text", text: "y".repeat(20_000) }],
  }));

const media = mediaAgeing(true);
const wholeTexts = (messages: readonly UIMessage[]) =>
  ids(messages.filter(({ parts }) => parts.some((part) => part.type === "text" && part.text.length === 20_000)));
const wholePictures = (messages: readonly UIMessage[]) =>
  ids(messages.filter(({ parts }) => parts.some(({ type }) => type === "file")));

test("S76: the border of what is whole moves in steps", () => {
  const borders = [4, 5, 11, 12, 13, 19, 20].map(
    (count) => wholeTexts(historyForModel(long(count), { truncationStep: 8, media }).messages)[0],
  );
  expect(borders).toEqual(["m0", "m0", "m0", "m8", "m8", "m8", "m16"]);
});

test("T360: media ages at the same steps, and never among the newest that are to be whole", () => {
  const pictures = [8, 12, 19, 20, 21, 28].map((count) => {
    const { messages, keepRecent } = historyForModel(long(count), { truncationStep: 8, media });
    const whole = wholePictures(messages);
    return [count, whole[0], whole.length >= Math.min(count, 8) && whole.length >= keepRecent];
  });
  expect(pictures).toEqual([
    [8, "m0", true],
    [12, "m0", true],
    [19, "m8", true],
    [20, "m8", true],
    [21, "m8", true],
    [28, "m16", true],
  ]);
});

test("S76: an infinite step shortens no text; a step that makes no sense is the default", () => {
  const infinite = historyForModel(long(30), { truncationStep: Number.POSITIVE_INFINITY, media });
  expect(wholeTexts(infinite.messages)).toHaveLength(30);
  expect(wholePictures(infinite.messages).length).toBeLessThan(30);
  for (const truncationStep of [0, -1, Number.NaN]) {
    expect(historyForModel(long(20), { truncationStep, media }).keepRecent).toBe(4);
  }
});

test("an aged message is made once, and is the same object in every turn", () => {
  const messages = long(30);
  const [first, second] = [1, 2].map(() => historyForModel(messages, { truncationStep: 8, media }).messages);
  expect(second!.every((entry, index) => entry === first![index])).toBe(true);
  expect(first![29]).toBe(messages[29]);
});

test("S70, T358, T364: the model's copy has markers for aged media, and the conversation keeps every byte", async () => {
  for (const mediaEviction of [true, false]) {
    const agent = await memory({ fields: { mediaEviction } });
    await agent.in(async ({ session }) => {
      await session.appendMessage({ id: "p1", role: "user", parts: [picture] });
      for (let n = 1; n <= 30; n++) await session.appendMessage(said(n % 2 ? "assistant" : "user", `message ${n}`));
    });
    await agent.ask("what was in the picture?");
    const prompt = JSON.stringify(agent.calls()[0]?.prompt);
    expect(prompt.includes("[evicted image/png, 40002 bytes; preserved in message p1, item 1]")).toBe(mediaEviction);
    expect((await agent.in(({ session }) => session.getMessage("p1")))?.parts).toEqual([picture]);
  }
});
