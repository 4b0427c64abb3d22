// Events in the order of the log, each with its cause and its facts unfolded.
import type { Api, AuditEvent } from "../api.ts";
import { clock, duration, short } from "../format.ts";
import { useLineWidth } from "../live/use-line-width.ts";
import { Json, LineWidth } from "./json.tsx";
import { Payloads } from "./payloads.tsx";

/** What an event's JSON has left and right of it in the trail, in pixels: margins, lines and padding. */
const NOT_TEXT = 40;

type Props = { api: Api; events: AuditEvent[]; oneSubmission: boolean };

export function EventTrail({ api, events, oneSubmission }: Props) {
  const [width, measure] = useLineWidth(NOT_TEXT);
  if (events.length === 0) return <p className="empty">No events yet.</p>;
  const shown = new Map(events.map((event) => [event.position, event]));
  return (
    <LineWidth value={width}>
      <ol ref={measure} className="trail" aria-label="Events, oldest first">
        {events.map((event, index) => (
          <Entry
            key={event.position}
            api={api}
            event={event}
            before={events[index - 1]}
            cause={shown.get(positionIn(event.causationId))}
            showStream={!oneSubmission}
          />
        ))}
      </ol>
    </LineWidth>
  );
}

type EntryProps = {
  api: Api;
  event: AuditEvent;
  before: AuditEvent | undefined;
  cause: AuditEvent | undefined;
  showStream: boolean;
};

function Entry({ api, event, before, cause, showStream }: EntryProps) {
  return (
    <li id={anchor(event.position)} tabIndex={-1} data-type={event.type}>
      <p className="event-head">
        <span className="mono position">#{event.position}</span>
        <strong>{event.type}</strong>
        <time className="mono hint" dateTime={new Date(event.at).toISOString()}>
          {clock(event.at)}
          {before && ` +${duration(event.at - before.at)}`}
        </time>
      </p>
      <p className="event-meta hint">
        <Cause causationId={event.causationId} cause={cause} /> · by <span className="mono">{event.actor}</span>
        {showStream && (
          <>
            {" "}
            · <span className="mono">{shortStream(event.stream)}</span>
          </>
        )}{" "}
        · v{event.version}
      </p>
      <Json value={event.data} />
      <Payloads api={api} event={event} />
    </li>
  );
}

function Cause({ causationId, cause }: { causationId: string; cause: AuditEvent | undefined }) {
  if (!cause) {
    const [kind, ...rest] = causationId.split(":");
    return (
      <>
        ↳ from {kind} <span className="mono">{rest.map(short).join(":")}</span>
      </>
    );
  }
  return (
    <>
      ↳ from{" "}
      <a href={`#${anchor(cause.position)}`}>
        #{cause.position} {cause.type}
      </a>
    </>
  );
}

const anchor = (position: number) => `event-${position}`;

/** `event:12` names the event at position 12; anything else is a command. */
function positionIn(causationId: string): number {
  return Number(/^event:(\d+)$/.exec(causationId)?.[1] ?? 0);
}

function shortStream(stream: string): string {
  return stream.split("/").map(short).join("/");
}
