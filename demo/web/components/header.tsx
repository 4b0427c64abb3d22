// Which agent, which model answers, whether the page is live; and what concerns the agent as a whole.
import { type FormEvent, useState } from "react";
import { type Api, asFailure } from "../api.ts";
import type { Picture } from "../live/poller.ts";
import { Dialog } from "./dialog.tsx";
import type { Report } from "./outcome.tsx";

type Props = { api: Api; agent: string; picture: Picture; onAgent: (name: string) => void; report: Report };

export function Header({ api, agent, picture, onAgent, report }: Props) {
  const [asking, setAsking] = useState(false);

  async function reset() {
    report(undefined);
    try {
      await api.reset();
      report({
        kind: "done",
        message: "Reset: waiting submissions are skipped and the conversation is empty. The log keeps its events.",
      });
    } catch (error) {
      report({ kind: "failed", message: `Not reset. ${asFailure(error).message}` });
    }
  }

  return (
    <header>
      <h1>
        thinklog <span>console</span>
      </h1>
      <ConnectionMark picture={picture} />
      <AgentPicker key={agent} agent={agent} onAgent={onAgent} />
      <p className="fact">
        <span className="hint">Model</span> <ModelName picture={picture} />
      </p>
      <button type="button" className="danger" onClick={() => setAsking(true)}>
        Reset …
      </button>
      {asking && (
        <Dialog
          title={`Reset the agent “${agent}”?`}
          confirm="Reset"
          onConfirm={() => void reset()}
          onClose={() => setAsking(false)}
        >
          <p>The running turn is aborted, waiting ones are skipped, and the conversation is emptied. The log stays.</p>
        </Dialog>
      )}
    </header>
  );
}

function AgentPicker({ agent, onAgent }: { agent: string; onAgent: (name: string) => void }) {
  const [name, setName] = useState(agent);
  const choose = (event: FormEvent) => {
    event.preventDefault();
    onAgent(name.trim() || "default");
  };
  return (
    <form className="row" onSubmit={choose}>
      <label htmlFor="agent" className="hint">
        Agent
      </label>
      <input
        id="agent"
        className="mono"
        value={name}
        onChange={(event) => setName(event.target.value)}
        maxLength={200}
        spellCheck={false}
        autoComplete="off"
      />
      {name !== agent && <button>Open</button>}
    </form>
  );
}

function ModelName({ picture: { info } }: { picture: Picture }) {
  if (!info) return <>…</>;
  const { kind, name } = info.model;
  return (
    <span id="model">
      <span className="mono">{name}</span> {kind === "scripted" ? "(scripted, offline)" : `(${kind})`}
    </span>
  );
}

function ConnectionMark({ picture: { connection, problem } }: { picture: Picture }) {
  const words = { connecting: "Connecting …", live: "Live", reconnecting: "Reconnecting …", refused: "Refused." }[
    connection
  ];
  return (
    <p className={`fact connection ${connection}`} role="status">
      <span aria-hidden="true">{connection === "live" ? "●" : "◌"}</span> <span>{words}</span>
      {problem && <span className="field-error"> {problem}</span>}
    </p>
  );
}
