import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ActionButton, ActionDialog, type Action } from './action.tsx';
import { DialogButton } from './dialog-button.tsx';
import { Field } from './fields.tsx';
import { holding, pausing } from './stopping.ts';
import type { With } from './properties.ts';

/** Milliseconds. */
const HOLDS = [300_000, 3_600_000, 86_400_000];

/** A button that stops something, after a dialog that asks for the reason, or lets it go on at once. */
export function StopButton({
  label,
  name,
  isStopped,
  actions,
  children,
}: With<'label' | 'name' | 'children', { isStopped: boolean }> & {
  /** Returns the actions that stop it or, once it is stopped, let it go on. */
  readonly actions: (reason?: string) => readonly Action[];
}): VNode {
  const [reason, setReason] = useState('');
  const [start] = actions();
  if (isStopped && start !== undefined) return <ActionButton action={start} />;
  return (
    <DialogButton
      label={`${label} …`}
      right="operate"
      dialog={(close) => (
        <ActionDialog
          title={`${label} ${name}`}
          close={() => {
            setReason('');
            close();
          }}
          actions={actions(reason.trim() || undefined)}
        >
          <p>{children}</p>
          <Field
            label="Reason, for those who ask"
            value={reason}
            change={setReason}
            maxLength={200}
          />
        </ActionDialog>
      )}
    />
  );
}

/** The buttons that stop a queue or a group. @param path of it in the API. */
export function StopButtons({
  path,
  name,
  isPaused,
  isHeld,
  refresh,
}: With<'path' | 'name' | 'refresh', { isPaused: boolean; isHeld: boolean }>): VNode {
  return (
    <>
      <StopButton
        label="Pause"
        name={name}
        isStopped={isPaused}
        actions={(reason) => [pausing(path, name, isPaused, refresh, reason)]}
      >
        No job starts until it is resumed. Running calls finish.
      </StopButton>
      <StopButton
        label="Hold"
        name={name}
        isStopped={isHeld}
        actions={(reason) => holding(HOLDS, path, name, isHeld, refresh, reason)}
      >
        A hold is a pause that ends by itself. Running calls finish.
      </StopButton>
    </>
  );
}
