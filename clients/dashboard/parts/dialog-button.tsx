import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { RightButton } from './action.tsx';

/** A button that opens a dialog. */
export function DialogButton({
  label,
  right,
  kind,
  dialog,
}: {
  readonly label: string;
  readonly right: string;
  readonly kind?: 'primary';
  readonly dialog: (close: () => void) => VNode;
}): VNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <RightButton right={right} kind={kind} onClick={() => setIsOpen(true)}>
        {label}
      </RightButton>
      {isOpen && dialog(() => setIsOpen(false))}
    </>
  );
}
