// The events of the newest turn as they arrive, or the whole log.
import { useState } from "react";
import type { Api, AuditEvent } from "../api.ts";
import { useTrail } from "../live/use-trail.ts";
import { EventTrail } from "./event-trail.tsx";

export function TurnTimeline({ api, head }: { api: Api; head: number }) {
  const [whole, setWhole] = useState(false);
  const events = useTrail(api, undefined, head);
  return (
    <section className="pane" aria-labelledby="timeline-title">
      <div className="pane-head">
        <h2 id="timeline-title">{whole ? "Whole log" : "Newest turn"}</h2>
        <button type="button" onClick={() => setWhole(!whole)}>
          {whole ? "Show the newest turn" : "Show the whole log"}
        </button>
      </div>
      <EventTrail api={api} events={whole ? events : newestTurn(events)} oneSubmission={!whole} />
    </section>
  );
}

function newestTurn(events: AuditEvent[]): AuditEvent[] {
  const newest = events.findLast(({ stream }) => stream.startsWith("turn/"));
  return newest ? events.filter(({ stream }) => stream === newest.stream) : [];
}
