// Where to write. Enter sends, Shift+Enter is a new line; while an answer comes, Stop is in the place of Send.
import type { FormEvent, KeyboardEvent } from "react";
import type { Info } from "../api.ts";
import { Field } from "./field.tsx";

const EXAMPLES = ["What is my time zone?", "Send a postcard to Ada", "What is the weather in Lisbon?"];
const SCRIPTED_EXAMPLES = [...EXAMPLES, "A long answer", "Think long", "Slow tool", "Fail"];

type Props = {
  text: string;
  model: Info["model"] | undefined;
  busy: boolean;
  /** There is something to send, and somebody to send it to. */
  ready: boolean;
  onText: (text: string) => void;
  onSend: () => void;
  onStop: () => void;
};

export function ChatComposer({ text, model, busy, ready, onText, onSend, onStop }: Props) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSend();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onSend();
  };
  return (
    <form onSubmit={submit} noValidate>
      <div className="examples" role="group" aria-label="Example messages">
        {(model?.kind === "scripted" ? SCRIPTED_EXAMPLES : EXAMPLES).map((example) => (
          <button key={example} type="button" className="chip" onClick={() => onText(example)}>
            {example}
          </button>
        ))}
      </div>
      <Field id="message" label="Message" hint="Enter sends">
        {(props) => (
          <textarea
            {...props}
            rows={2}
            value={text}
            onChange={(event) => onText(event.target.value)}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      {busy ? (
        <button key="stop" type="button" className="danger" onClick={onStop}>
          Stop
        </button>
      ) : (
        <button key="send" className="primary" disabled={!ready}>
          Send
        </button>
      )}
    </form>
  );
}
