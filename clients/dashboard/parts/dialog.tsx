import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';
import type { With } from './properties.ts';

export type DialogProperties = With<'title' | 'close' | 'children'>;

/** A modal dialog: the page behind it takes no input until it is closed. */
export function Modal({ title, close, children }: DialogProperties): VNode {
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
  buttons,
  children,
  ...modal
}: DialogProperties & { readonly buttons?: ComponentChildren }): VNode {
  return (
    <Modal {...modal}>
      {children}
      <Buttons close={modal.close}>{buttons}</Buttons>
    </Modal>
  );
}

export function Buttons({ close, children }: With<'close' | 'children'>): VNode {
  return (
    <div class="buttons">
      {children}
      <Button onClick={close}>Close</Button>
    </div>
  );
}

/** A form that does not leave the page when it is sent. */
export function Form({ submit, children }: With<'children', { submit: () => void }>): VNode {
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
