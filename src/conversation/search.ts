import type { SearchResult, Session } from "agents/sessions";
import { ThinkInputError } from "../errors.ts";

/** Results of one search, at the most. */
export const MAX_RESULTS = 100;

/** Characters of a query, at the most. */
const MAX_QUERY = 1_000;

/** @throws {ThinkInputError} when the query is no text or too long. */
export function checkQuery(query: unknown): string {
  if (typeof query !== "string") throw new ThinkInputError("not-a-string", "query", "query must be a string");
  if (query.length > MAX_QUERY) {
    throw new ThinkInputError("too-large", "query", `query is longer than ${MAX_QUERY} characters`);
  }
  // SQLite takes a NUL for the end of the text, and then misses the closing quote.
  return query.replaceAll("\0", " ");
}

/** Words around the match that a result shows. */
const SNIPPET_TOKENS = 48;

/**
 * Search all sessions of one object, over the index that `agents/sessions` keeps for its own search. The only
 * place that knows that index: tests/conversation/search.worker.test.ts holds it to what is used here.
 */
export async function searchAllSessions(
  storage: DurableObjectStorage,
  session: Session,
  query: string,
  limit: number,
): Promise<SearchResult[]> {
  // A search of one session makes the index when the object has none yet.
  await session.search("", { limit: 1 });
  // One quoted phrase: nothing in the text can be an operator.
  const phrase = `"${query.replaceAll('"', '""')}"`;
  return storage.sql
    .exec<{ sessionId: string; id: string; role: string; content: string; createdAt: number }>(
      `SELECT f.session_id AS sessionId, f.id AS id, f.role AS role,
              snippet(cf_agents_session_fts, 3, '', '', '…', ${SNIPPET_TOKENS}) AS content,
              m.created_at AS createdAt
         FROM cf_agents_session_fts AS f
         JOIN cf_agents_session_messages AS m ON m.session_id = f.session_id AND m.id = f.id
        WHERE cf_agents_session_fts MATCH ?
        ORDER BY rank LIMIT ?`,
      phrase,
      limit,
    )
    .toArray()
    .map(({ createdAt, ...result }) => ({ ...result, createdAt: new Date(createdAt).toISOString() }));
}
