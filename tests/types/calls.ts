/** Calls of public methods, on the instance and on a stub: what is accepted, and what they give. */
import { getAgentByName } from "agents";
import { convertToModelMessages, isTextUIPart, isToolUIPart, type JSONValue, type UIMessage } from "ai";
import type {
  AuditLogPage,
  CancelSubmissionResult,
  Json,
  LogVerification,
  ProjectionRebuild,
  SaveMessagesResult,
  RpcMessage,
  StreamCallback,
  SubmitMessagesResult,
  ThinkSubmissionInspection,
  TurnResult,
} from "../../src/index.ts";
import type { Env, Minimal } from "./agent.ts";
import type { Assignable, Equal, Expect, ExpectNot, Interchangeable, IsAny, IsNever } from "./expect.ts";

declare const instance: Minimal;
declare const stub: Awaited<ReturnType<typeof getAgentByName<Cloudflare.Env, Minimal>>>;
declare const maybe: { text?: string; count?: number; signal?: AbortSignal; data?: Record<string, unknown> };
declare const callback: StreamCallback;
const messages: UIMessage[] = [{ id: "m1", role: "user", parts: [{ type: "text", text: "Hello" }] }];

type Stub = typeof stub;
/** What a caller outside gets; every promise there also is a way to call on. */
type Far<Method extends keyof Stub> = Stub[Method] extends (...args: never[]) => infer R ? Awaited<R> : never;
type Near<Method extends keyof Minimal> = Minimal[Method] extends (...args: never[]) => infer R ? Awaited<R> : never;

/** The result is known outside as it is inside: no `never`, no `any`, and to be kept under the same type. */
type SameFar<Method extends keyof Stub & keyof Minimal, Result> = [
  IsNever<Far<Method>>,
  IsAny<Far<Method>>,
  Assignable<Far<Method>, Result>,
  Interchangeable<Near<Method>, Result>,
] extends [false, false, true, true]
  ? true
  : false;

export type Results = [
  Expect<SameFar<"submitMessages", SubmitMessagesResult>>,
  Expect<SameFar<"inspectSubmission", ThinkSubmissionInspection | null>>,
  Expect<SameFar<"listSubmissions", ThinkSubmissionInspection[]>>,
  Expect<SameFar<"waitForSubmission", ThinkSubmissionInspection | null>>,
  Expect<SameFar<"cancelSubmission", CancelSubmissionResult>>,
  Expect<SameFar<"deleteSubmission", boolean>>,
  Expect<SameFar<"deleteSubmissions", number>>,
  Expect<SameFar<"saveMessages", SaveMessagesResult>>,
  Expect<SameFar<"addMessages", void>>,
  Expect<SameFar<"getMessages", UIMessage[]>>,
  Expect<SameFar<"clearMessages", void>>,
  Expect<SameFar<"chat", void>>,
  Expect<SameFar<"cancelChat", void>>,
  Expect<SameFar<"cancelAllChats", void>>,
  Expect<SameFar<"runTurn", TurnResult | SubmitMessagesResult | void>>,
  Expect<SameFar<"auditLog", AuditLogPage>>,
  Expect<SameFar<"verifyLog", LogVerification>>,
  Expect<SameFar<"rebuildProjections", ProjectionRebuild[]>>,
  ExpectNot<IsNever<Far<"searchConversations">>>,
  ExpectNot<IsNever<Far<"getConfig">>>,
];

/** Insides are not to be seen from outside. */
export type Protected = Expect<
  Equal<Extract<keyof Stub, "continueLastTurn" | "onSubmissionStatus" | "abortRequest" | "resetTurnState">, never>
>;

type Metadata = NonNullable<ThinkSubmissionInspection["metadata"]>;
type Part<Type extends string> = Extract<RpcMessage["parts"][number], { type: Type }>;

/** Types made for RPC are the types of the AI SDK to whoever assigns them, in both directions. */
export type Passed = [
  Expect<Interchangeable<RpcMessage, UIMessage>>,
  Expect<Interchangeable<Json, JSONValue>>,
  Expect<Interchangeable<Metadata, Record<string, unknown>>>,
  Expect<Interchangeable<Metadata[string], unknown>>,
  Expect<Interchangeable<TurnResult["output"], unknown>>,
  Expect<Interchangeable<TurnResult["message"], UIMessage | undefined>>,
  Expect<Equal<Part<"text">["text"], string>>,
  ExpectNot<IsNever<NonNullable<Part<"text">["providerMetadata"]>[string]>>,
  ExpectNot<IsNever<NonNullable<Part<"dynamic-tool">["toolMetadata"]>[string]>>,
  ExpectNot<Assignable<{ id: string; role: "tool"; parts: [] }, RpcMessage>>,
  ExpectNot<Assignable<{ id: string; role: "user"; parts: [{ type: "text"; text: number }] }, RpcMessage>>,
];

export async function inside(): Promise<unknown[]> {
  const waited: TurnResult = await instance.runTurn({ input: "Hello", channel: maybe.text, signal: maybe.signal });
  const continued: TurnResult = await instance.runTurn({ continuation: true, body: maybe.data });
  const explicit: TurnResult = await instance.runTurn({ mode: "wait", input: (current) => [...current, ...messages] });
  const submitted: SubmitMessagesResult = await instance.runTurn({
    mode: "submit",
    input: messages,
    submissionId: maybe.text,
    idempotencyKey: maybe.text,
    metadata: maybe.data,
  });
  const streamed: void = await instance.runTurn({ mode: "stream", input: "Hello", callback, signal: maybe.signal });

  await instance.submitMessages(messages, { idempotencyKey: maybe.text, metadata: maybe.data, channel: maybe.text });
  await instance.listSubmissions({ status: undefined, limit: maybe.count });
  await instance.listSubmissions({ status: ["pending", "running"] });
  await instance.deleteSubmissions({ status: "error", completedBefore: new Date(), limit: maybe.count });
  await instance.waitForSubmission("s1", { timeoutMs: maybe.count });
  await instance.cancelSubmission("s1", new Error("No longer needed"));
  await instance.saveMessages((current) => [...current, ...messages], { signal: maybe.signal });
  await instance.saveMessages(async () => messages);
  await instance.addMessages(messages, { parentId: null, mode: "upsert" });
  await instance.addMessages(messages, { parentId: maybe.text });
  await instance.chat(messages[0]!, callback, { channel: maybe.text, metadata: maybe.data });
  await instance.auditLog({ submissionId: maybe.text, types: ["TurnCompleted"], order: "desc", cursor: maybe.text });

  // @ts-expect-error - a callback without stream
  await instance.runTurn({ mode: "submit", input: "Hello", callback });
  // @ts-expect-error - a stream without callback
  await instance.runTurn({ mode: "stream", input: "Hello" });
  // @ts-expect-error - a key without submit
  await instance.runTurn({ mode: "wait", input: "Hello", idempotencyKey: "order-1" });
  // @ts-expect-error - there is no such mode
  await instance.runTurn({ mode: "later", input: "Hello" });
  // @ts-expect-error - text is for runTurn and chat
  await instance.submitMessages("Hello");
  // @ts-expect-error - there is no such status
  await instance.listSubmissions({ status: "done" });
  // @ts-expect-error - a date
  await instance.deleteSubmissions({ completedBefore: 1_700_000_000 });
  // @ts-expect-error - there is no such mode
  await instance.addMessages(messages, { mode: "replace" });
  // @ts-expect-error - protected
  await instance.continueLastTurn();

  return [waited, continued, explicit, submitted, streamed];
}

/** The AI SDK's own helpers take what `getMessages` gives: near as it is, far as the `UIMessage[]` that it is. */
export async function read(): Promise<unknown> {
  const near = await instance.getMessages();
  const far: UIMessage[] = await stub.getMessages();
  const text = (await stub.getMessages()).flatMap(({ parts }) => parts.filter(isTextUIPart).map((part) => part.text));
  const states = [...near, ...far].flatMap(({ parts }) => parts.filter(isToolUIPart).map((part) => part.state));
  const saved = await instance.saveMessages([...near, ...(await stub.getMessages())]);
  return [text satisfies string[], states satisfies string[], saved, await convertToModelMessages(near)];
}

/** A Worker that submits, waits and asks. */
export const worker = {
  async fetch(request, env) {
    const agent = await getAgentByName(env.MINIMAL, "one");
    const parts = [{ type: "text" as const, text: await request.text() }];
    const key = request.headers.get("idempotency-key") ?? undefined;
    const receipt: SubmitMessagesResult = await agent.submitMessages(
      [{ id: crypto.randomUUID(), role: "user", parts }],
      { idempotencyKey: key, metadata: { path: new URL(request.url).pathname } },
    );
    const path: unknown = receipt.metadata?.["path"];
    const done: ThinkSubmissionInspection | null = await agent.waitForSubmission(receipt.submissionId);
    const cancelled = await agent.cancelSubmission(receipt.submissionId);
    const applied = cancelled.outcome === "cancelled" && cancelled.messagesApplied;
    const { events, cursor } = await agent.auditLog({ submissionId: receipt.submissionId });
    const turn = await agent.runTurn({ input: "And now?" });
    const answer: UIMessage | undefined = turn && "continuation" in turn ? turn.message : undefined;
    // @ts-expect-error - a submission id is a string
    await agent.inspectSubmission(7);
    const types: string[] = events.map((event) => event.type);
    return Response.json({ path, status: done?.status, applied, types, cursor, answer });
  },
} satisfies ExportedHandler<Env>;
