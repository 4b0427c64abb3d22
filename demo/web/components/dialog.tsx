// A question before something that cannot be taken back. The browser's own dialog: it keeps the focus and knows Escape.
import { type FormEvent, type ReactNode, useEffect, useRef } from "react";

type Props = {
  title: string;
  confirm: string;
  children: ReactNode;
  onConfirm: () => void;
  onClose: () => void;
};

export function Dialog({ title, confirm, children, onConfirm, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    onConfirm();
    dialog.current?.close();
  };
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onClose={onClose}>
      <form onSubmit={submit}>
        <h2 id="dialog-title">{title}</h2>
        {children}
        <div className="row end">
          <button type="button" onClick={() => dialog.current?.close()}>
            Keep
          </button>
          <button className="danger">{confirm}</button>
        </div>
      </form>
    </dialog>
  );
}
