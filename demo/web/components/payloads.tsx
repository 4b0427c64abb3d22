// The content an event names by digest, read when it is unfolded.
import { useState } from "react";
import { type Api, asFailure, type AuditEvent } from "../api.ts";
import { Json } from "./json.tsx";

const NAMES = ["payload", "metadata", "output", "body"];

export function Payloads({ api, event }: { api: Api; event: AuditEvent }) {
  const facts = new Map<string, unknown>(Object.entries(event.data as object));
  return NAMES.map((name) => {
    const digest = facts.get(name);
    return typeof digest === "string" && <Payload key={name} api={api} name={name} digest={digest} />;
  });
}

type Content = { state: "folded" | "reading" } | { state: "read"; value: unknown } | { state: "failed"; why: string };

function Payload({ api, name, digest }: { api: Api; name: string; digest: string }) {
  const [content, setContent] = useState<Content>({ state: "folded" });
  const read = async () => {
    setContent({ state: "reading" });
    try {
      setContent({ state: "read", value: await api.payload(digest) });
    } catch (error) {
      setContent({ state: "failed", why: asFailure(error).message });
    }
  };
  return (
    <details
      onToggle={({ currentTarget }) => {
        if (currentTarget.open && content.state !== "read") void read();
      }}
    >
      <summary>
        {name} <span className="mono hint">{digest.slice(0, 8)}…</span>
      </summary>
      {content.state === "reading" && <p className="hint">Reading…</p>}
      {content.state === "failed" && <p className="hint">{content.why}</p>}
      {content.state === "read" &&
        (content.value === null ? <p className="hint">This content was erased.</p> : <Json value={content.value} />)}
    </details>
  );
}
