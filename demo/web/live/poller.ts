// Keeps a picture of the agent up to date. One cheap question, again and again: "any event after this position?"
// Only when there is one are the list and the conversation read again. After an outage the loop starts from the head
// of the log, so it does not matter whether the server is the same, restarted, or has another log.
import { type Api, asFailure, type AuditEvent, type Info, type Submission, type UIMessage } from "../api.ts";

export type Connection = "connecting" | "live" | "reconnecting" | "refused";

export type Picture = {
  connection: Connection;
  info: Info | undefined;
  /** Position of the newest event that is known. */
  head: number;
  submissions: Submission[];
  messages: UIMessage[];
  /** What was asked, as the digest of a payload, by submission id. */
  asked: ReadonlyMap<string, string>;
  /** What a server that does answer says is wrong, for example with the agent's name. */
  problem: string | undefined;
};

export const emptyPicture: Picture = {
  connection: "connecting",
  info: undefined,
  head: 0,
  submissions: [],
  messages: [],
  asked: new Map(),
  problem: undefined,
};

/** So many of the log's newest acceptances are read at first; the table has 50 rows. */
const ASKED = 200;
const BUSY_MS = 400;
const IDLE_MS = 1_200;
const HIDDEN_MS = 5_000;
const RETRY_MS = 1_000;

export type Poller = { poke: () => void; stop: () => void };

export function startPoller(api: Api, show: (picture: Picture) => void): Poller {
  let picture = emptyPicture;
  let stopped = false;
  let wake = () => {};

  const update = (changes: Partial<Picture>) => {
    picture = { ...picture, ...changes };
    if (!stopped) show(picture);
  };

  async function look(): Promise<number> {
    if (picture.connection === "live") {
      const { events, cursor } = await api.events({ after: picture.head, limit: 500 });
      if (events.length > 0) {
        update({ head: cursor, asked: askedIn(events, picture.asked), ...(await readAll()) });
      }
    } else {
      const [info, newest, submitted] = await Promise.all([
        api.info(),
        api.events({ order: "desc", limit: 1 }),
        api.events({ order: "desc", limit: ASKED, type: "TurnSubmitted" }),
      ]);
      const asked = askedIn(submitted.events.toReversed());
      update({ connection: "live", problem: undefined, info, head: newest.cursor, asked, ...(await readAll()) });
    }
    if (document.hidden) return HIDDEN_MS;
    return picture.submissions.some(isActive) ? BUSY_MS : IDLE_MS;
  }

  async function readAll() {
    const [submissions, messages] = await Promise.all([api.list(), api.messages()]);
    return { submissions, messages };
  }

  async function run() {
    while (!stopped) {
      let pause = RETRY_MS;
      try {
        pause = await look();
      } catch (error) {
        const failure = asFailure(error);
        const refused = failure.status >= 400 && failure.status < 500;
        update(
          refused
            ? { connection: "refused", problem: failure.message }
            : { connection: "reconnecting", problem: undefined },
        );
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, pause);
      });
    }
  }
  const onVisible = () => wake();
  document.addEventListener("visibilitychange", onVisible);
  void run();

  return {
    poke: () => wake(),
    stop: () => {
      stopped = true;
      document.removeEventListener("visibilitychange", onVisible);
      wake();
    },
  };
}

export const isActive = ({ status }: Submission): boolean => status === "pending" || status === "running";

/** The newest acceptance under an id counts: after a deletion the id is free for another prompt. */
function askedIn(events: AuditEvent[], before: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> {
  const found = events.flatMap(({ type, data }): [string, string][] => {
    if (type !== "TurnSubmitted") return [];
    const { turnId, payload } = data as { turnId: string; payload?: string };
    return payload === undefined ? [] : [[turnId, payload]];
  });
  return found.length === 0 ? before : new Map([...before, ...found]);
}
