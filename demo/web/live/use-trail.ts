// The events on show: those of one submission from its first on, or the newest of the whole log.
import { useEffect, useState } from "react";
import type { Api, AuditEvent } from "../api.ts";

const PAGE = 200;

type Trail = { scope: string | undefined; events: AuditEvent[] };

/** `head` is the newest position of the log: each time it moves, there may be more to read. */
export function useTrail(api: Api, scope: string | undefined, head: number): AuditEvent[] {
  const [trail, setTrail] = useState<Trail>({ scope, events: [] });

  useEffect(() => {
    let current = true;
    readTrail(api, scope).then(
      (events) => current && setTrail({ scope, events }),
      () => undefined, // The poller sees the same outage, says so, and moves `head` when it is over.
    );
    return () => {
      current = false;
    };
  }, [api, scope, head]);

  return trail.scope === scope ? trail.events : [];
}

async function readTrail(api: Api, submissionId: string | undefined): Promise<AuditEvent[]> {
  if (submissionId !== undefined) return (await api.events({ submissionId, limit: PAGE })).events;
  return (await api.events({ order: "desc", limit: PAGE })).events.toReversed();
}
