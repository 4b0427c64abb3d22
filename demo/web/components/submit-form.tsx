// Submit a prompt, with or without a key. What the server refuses is shown at the field it names.
import { type FormEvent, type KeyboardEvent, useRef, useState } from "react";
import { type Api, type ApiFailure, asFailure, type Info } from "../api.ts";
import { Field } from "./field.tsx";
import type { Report } from "./outcome.tsx";

const EXAMPLES = ["What is the weather in Lisbon?", "12 * 7 - 3"];
const SCRIPTED_EXAMPLES = [...EXAMPLES, "Think long", "Slow tool", "Stall", "Fail"];

type Props = { api: Api; model: Info["model"] | undefined; report: Report };

export function SubmitForm({ api, model, report }: Props) {
  const [text, setText] = useState("");
  const [key, setKey] = useState("");
  const [failure, setFailure] = useState<ApiFailure>();
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    report(undefined);
    try {
      const receipt = await api.submit({ text, ...(key !== "" && { idempotencyKey: key }) });
      report({ kind: "receipt", receipt });
    } catch (error) {
      const refused = asFailure(error);
      setFailure(refused);
      const field = fieldOf(refused);
      if (field) form.current?.querySelector<HTMLElement>(`#${field}`)?.focus();
      else report({ kind: "failed", message: `Not submitted. ${refused.message}` });
    } finally {
      setBusy(false);
    }
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
  };
  const errorAt = (field: string) => (failure && fieldOf(failure) === field ? complaint(failure) : undefined);

  return (
    <section className="pane" aria-labelledby="submit-title">
      <h2 id="submit-title">Submit</h2>
      <form ref={form} onSubmit={(event) => void submit(event)} onKeyDown={onKeyDown} noValidate>
        <Field id="text" label="Prompt" error={errorAt("text")}>
          {(props) => <textarea {...props} rows={3} value={text} onChange={(event) => setText(event.target.value)} />}
        </Field>
        <div className="examples" role="group" aria-label="Example prompts">
          {(model?.kind === "scripted" ? SCRIPTED_EXAMPLES : EXAMPLES).map((example) => (
            <button key={example} type="button" className="chip" onClick={() => setText(example)}>
              {example}
            </button>
          ))}
        </div>
        <Field id="key" label="Idempotency key" hint="optional" error={errorAt("key")}>
          {(props) => (
            <div className="row">
              <input
                {...props}
                className="mono"
                value={key}
                onChange={(event) => setKey(event.target.value)}
                autoComplete="off"
                spellCheck={false}
              />
              <button type="button" onClick={() => setKey(`key-${crypto.randomUUID().slice(0, 8)}`)}>
                New key
              </button>
            </div>
          )}
        </Field>
        <button className="primary" aria-disabled={busy}>
          {busy ? "Submitting …" : "Submit"}
        </button>
      </form>
    </section>
  );
}

/** The server's sentence begins with its name of the field; at the field itself, that name is noise. */
function complaint({ field, message }: ApiFailure): string {
  return field !== undefined && message.startsWith(`${field} `) ? message.slice(field.length + 1) : message;
}

/** The form's field for the one the API names. */
function fieldOf({ field }: ApiFailure): "text" | "key" | undefined {
  if (field === "idempotencyKey") return "key";
  return field === "text" || field === "messages" ? "text" : undefined;
}
