import { describe, expect, inject, test } from "vitest";

const base = `${inject("url")}/api`;

type Answer = {
  status: number;
  body: Record<string, never> & { error?: { code: string; message: string; field?: string } };
};

async function call(method: string, path: string, body?: unknown): Promise<Answer & { allow: string | null }> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(base + path, { method, ...(text !== undefined && { body: text }) });
  return {
    status: response.status,
    body: (await response.json()) as Answer["body"],
    allow: response.headers.get("allow"),
  };
}

async function settled(agent: string, id: string): Promise<Record<string, unknown>> {
  for (;;) {
    const { body } = await call("GET", `/${agent}/submissions/${id}`);
    if (!["pending", "running"].includes(body.status ?? "")) return body;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test("a submission from acceptance to deletion", async () => {
  const request = { text: "12 * 7", idempotencyKey: "sum-1", submissionId: "sum", metadata: { from: "test" } };
  const first = await call("POST", "/life/submissions", request);
  expect(first).toMatchObject({ status: 202, body: { submissionId: "sum", accepted: true, status: "pending" } });
  const retry = await call("POST", "/life/submissions", request);
  expect(retry).toMatchObject({ status: 200, body: { submissionId: "sum", accepted: false } });
  expect(retry.body).not.toHaveProperty("payloadMismatch");

  expect(await settled("life", "sum")).toMatchObject({ status: "completed", metadata: { from: "test" } });
  const { body: messages } = await call("GET", "/life/messages");
  expect(JSON.stringify(messages)).toContain("12 * 7 = 84.");
  const { body: list } = await call("GET", "/life/submissions?status=completed,error&limit=1");
  expect(list).toMatchObject({ submissions: [{ submissionId: "sum" }] });

  expect(await call("DELETE", "/life/submissions/sum")).toMatchObject({ status: 200, body: { deleted: true } });
  expect(await call("DELETE", "/life/submissions/sum")).toMatchObject({ status: 404 });
  expect(await call("GET", "/life/submissions/sum")).toMatchObject({
    status: 404,
    body: { error: { code: "submission-not-found" } },
  });
  expect(await call("GET", "/life/verify")).toMatchObject({ status: 200, body: { ok: true } });
});

test("events are read in pages, each once", async () => {
  await call("POST", "/pages/submissions", { text: "Hello", submissionId: "one" });
  await settled("pages", "one");
  const all: { position: number; type: string }[] = [];
  const cursors = [0];
  for (let full = true; full;) {
    const { body } = await call("GET", `/pages/events?submissionId=one&limit=2&after=${cursors.at(-1)}`);
    const page = body as unknown as { events: typeof all; cursor: number };
    all.push(...page.events);
    cursors.push(page.cursor);
    full = page.events.length > 0;
  }
  const { body: claims } = await call("GET", "/pages/events?type=TurnClaimed");
  expect(claims).toMatchObject({ events: [{ type: "TurnClaimed" }] });
  expect(cursors.at(-1)).toBe(cursors.at(-2));
  expect(all[0]?.type).toBe("TurnSubmitted");
  expect(all.at(-1)?.type).toBe("TurnCompleted");
  const positions = all.map((event) => event.position);
  expect(positions).toEqual([...new Set(positions)].toSorted((one, other) => one - other));
});

test("an active submission is not deleted; cancelled twice, it stays as it was", async () => {
  await call("POST", "/active/submissions", { text: "Stall", submissionId: "s" });
  expect(await call("DELETE", "/active/submissions/s")).toMatchObject({
    status: 409,
    body: { error: { code: "submission-active" } },
  });
  const cancelled = await call("POST", "/active/submissions/s/cancel", { reason: "enough" });
  expect(cancelled).toMatchObject({ status: 200, body: { outcome: "cancelled", submission: { error: "enough" } } });
  const again = await call("POST", "/active/submissions/s/cancel");
  expect(again).toMatchObject({ status: 200, body: { outcome: "already_terminal", submission: { error: "enough" } } });
  expect(await call("POST", "/active/submissions/unknown/cancel")).toMatchObject({ status: 404 });
});

describe("bad input is refused with the field's name, and stores nothing", () => {
  const submissions = "/bad/submissions";
  test.each<[name: string, method: string, path: string, body: unknown, status: number, field: string | undefined]>([
    ["malformed JSON", "POST", submissions, "{text", 400, undefined],
    ["a list", "POST", submissions, "[]", 400, undefined],
    ["nothing", "POST", submissions, "", 400, "text"],
    ["no text", "POST", submissions, {}, 400, "text"],
    ["blank text", "POST", submissions, { text: " \n" }, 400, "text"],
    ["a number for text", "POST", submissions, { text: 5 }, 400, "text"],
    ["a text of 3 MB", "POST", submissions, { text: "x".repeat(3_000_000) }, 400, "text"],
    ["a body of 9 MB", "POST", submissions, { text: "x".repeat(9_000_000) }, 413, undefined],
    ["a blank key", "POST", submissions, { text: "x", idempotencyKey: " " }, 400, "idempotencyKey"],
    ["a blank id", "POST", submissions, { text: "x", submissionId: "" }, 400, "submissionId"],
    ["half a surrogate pair", "POST", submissions, { text: "x", submissionId: "\ud800" }, 400, "submissionId"],
    ["a list as metadata", "POST", submissions, { text: "x", metadata: [1] }, 400, "metadata"],
    ["large metadata", "POST", submissions, { text: "x", metadata: { m: "x".repeat(20_000) } }, 400, "metadata"],
    ["a misspelt field", "POST", submissions, { text: "x", idempotency_key: "k" }, 400, "idempotency_key"],
    ["an unknown status", "GET", `${submissions}?status=pending,done`, undefined, 400, "status"],
    ["limit 0", "GET", `${submissions}?limit=0`, undefined, 400, "limit"],
    ["limit 101", "GET", `${submissions}?limit=101`, undefined, 400, "limit"],
    ["a word as limit", "GET", `${submissions}?limit=ten`, undefined, 400, "limit"],
    ["two limits", "GET", `${submissions}?limit=1&limit=2`, undefined, 400, "limit"],
    ["a position below zero", "GET", "/bad/events?after=-1", undefined, 400, "after"],
    ["a limit of events", "GET", "/bad/events?limit=501", undefined, 400, "limit"],
    ["an unknown order", "GET", "/bad/events?order=up", undefined, 400, "order"],
    ["a number as reason", "POST", `${submissions}/x/cancel`, { reason: 5 }, 400, "reason"],
    ["a broken address", "GET", "/%zz/submissions", undefined, 400, "agent"],
  ])("%s", async (_name, method, path, body, status, field) => {
    const answer = await call(method, path, body);
    expect(answer.status).toBe(status);
    expect(answer.body.error?.field).toBe(field);
    expect(answer.body.error).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    expect(await call("GET", "/bad/events")).toMatchObject({ body: { events: [] } });
  });

  test("an id and a key of different submissions", async () => {
    await call("POST", "/clash/submissions", { text: "Hello", submissionId: "one", idempotencyKey: "k1" });
    await call("POST", "/clash/submissions", { text: "Hello", submissionId: "two", idempotencyKey: "k2" });
    const clash = { text: "Hello", submissionId: "one", idempotencyKey: "k2" };
    expect(await call("POST", "/clash/submissions", clash)).toMatchObject({
      status: 409,
      body: { error: { code: "conflict", field: "idempotencyKey" } },
    });
  });
});

test("an unknown route is 404; a wrong method is 405 and names the right ones", async () => {
  expect(await call("GET", "/x/nothing")).toMatchObject({ status: 404, body: { error: { code: "not-found" } } });
  expect(await call("PUT", "/x/submissions")).toMatchObject({ status: 405, allow: "POST, GET" });
  expect(await call("GET", "/x/reset")).toMatchObject({ status: 405, allow: "POST" });
});
