import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** A modal dialog: the page behind it takes no input until it is closed. */
export function Modal({
  title,
  close,
  children,
}: {
  readonly title: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="dialog-title">
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}

/** A modal dialog with its buttons, of which the last one closes it. */
export function Dialog({
  title,
  close,
  buttons,
  children,
}: {
  readonly title: string;
  readonly close: () => void;
  readonly buttons?: ComponentChildren;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <Modal title={title} close={close}>
      {children}
      <Buttons close={close}>{buttons}</Buttons>
    </Modal>
  );
}

export function Buttons({
  close,
  children,
}: {
  readonly close: () => void;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <div class="buttons">
      {children}
      <button type="button" onClick={close}>
        Close
      </button>
    </div>
  );
}

/** A form that does not leave the page when it is sent. */
export function Form({
  submit,
  children,
}: {
  readonly submit: () => void;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {children}
    </form>
  );
}
