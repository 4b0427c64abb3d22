// Start a triage of a text, or a review of files.
import { type FormEvent, useState } from "react";
import type { WorkflowRequest } from "../api.ts";
import { Field } from "./field.tsx";

export function WorkflowForms({ start }: { start: (request: WorkflowRequest) => void }) {
  const [text, setText] = useState("");
  const [files, setFiles] = useState("");
  const on = (request: () => WorkflowRequest) => (event: FormEvent) => {
    event.preventDefault();
    start(request());
  };
  const names = () =>
    files
      .split("\n")
      .map((name) => name.trim())
      .filter(Boolean);
  return (
    <section className="pane" aria-labelledby="start-title">
      <h2 id="start-title">Start a workflow</h2>
      <form onSubmit={on(() => ({ kind: "triage", text }))} noValidate>
        <Field id="report" label="Report">
          {(props) => <textarea {...props} rows={3} value={text} onChange={(event) => setText(event.target.value)} />}
        </Field>
        <button className="primary">Start a triage</button>
      </form>
      <form onSubmit={on(() => ({ kind: "review", files: names() }))} noValidate>
        <Field id="files" label="Files" hint="one a line">
          {(props) => <textarea {...props} rows={3} value={files} onChange={(event) => setFiles(event.target.value)} />}
        </Field>
        <button className="primary">Start a review</button>
      </form>
    </section>
  );
}
