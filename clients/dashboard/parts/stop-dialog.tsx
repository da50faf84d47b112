import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ActionDialog, type Action } from './action.tsx';
import type { DialogProperties } from './dialog.tsx';
import { Field } from './fields.tsx';

/** Asks for the reason of a pause or a hold, which may be left out. */
export function StopDialog({
  actions,
  children,
  ...dialog
}: DialogProperties & {
  readonly actions: (reason: string | undefined) => readonly Action[];
}): VNode {
  const [reason, setReason] = useState('');
  return (
    <ActionDialog {...dialog} actions={actions(reason.trim() || undefined)}>
      {children}
      <Field label="Reason, for those who ask" value={reason} change={setReason} maxLength={200} />
    </ActionDialog>
  );
}
