import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { RightButton, type RightButtonAttributes } from './action.tsx';

/** A button that opens a dialog. */
export function DialogButton({
  label,
  dialog,
  ...button
}: RightButtonAttributes & {
  readonly label: string;
  readonly dialog: (close: () => void) => VNode;
}): VNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <RightButton {...button} onClick={() => setIsOpen(true)}>
        {label}
      </RightButton>
      {isOpen && dialog(() => setIsOpen(false))}
    </>
  );
}
