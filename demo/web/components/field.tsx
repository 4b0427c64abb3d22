// A labelled control with its error beneath it, tied together for assistive technology.
import type { ReactNode } from "react";

type ControlProps = { id: string; "aria-invalid": boolean; "aria-describedby": string | undefined };

type Props = {
  id: string;
  label: string;
  hint?: string;
  error?: string | undefined;
  children: (props: ControlProps) => ReactNode;
};

export function Field({ id, label, hint, error, children }: Props) {
  const errorId = `${id}-error`;
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {hint && <span className="hint"> {hint}</span>}
      </label>
      {children({ id, "aria-invalid": error !== undefined, "aria-describedby": error ? errorId : undefined })}
      {error && (
        <p className="field-error" id={errorId} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
