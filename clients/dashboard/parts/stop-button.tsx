import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ActionButton, ActionDialog, type Action } from './action.tsx';
import { DialogButton } from './dialog-button.tsx';
import { Field } from './fields.tsx';
import { holding, pausing, switchingWorker, type How } from './stopping.ts';
import type { With } from './properties.ts';

/** Milliseconds. */
const HOLDS = [300_000, 3_600_000, 86_400_000];

type Stopping = (path: string, name: string, ...how: How) => readonly Action[];

/** The actions that stop something or, once it is stopped, let it go on, by the label of their button. */
const STOPPING: Readonly<Record<'Pause' | 'Hold' | 'Disable', Stopping>> = {
  Pause: (...stop) => [pausing(...stop)],
  Hold: (...stop) => holding(HOLDS, ...stop),
  Disable: (...stop) => [switchingWorker(...stop)],
};

type Stoppable = With<'path' | 'name' | 'refresh'>;

/** A button that stops something, after a dialog that asks for the reason, or lets it go on at once. */
export function StopButton({
  label,
  path,
  name,
  title = `${label} ${name}`,
  isStopped,
  refresh,
  children,
}: Stoppable &
  With<'children', { label: keyof typeof STOPPING; title?: string; isStopped: boolean }>): VNode {
  const [reason, setReason] = useState('');
  const actions = STOPPING[label](path, name, isStopped, refresh, reason.trim() || undefined);
  if (isStopped && actions[0] !== undefined) return <ActionButton action={actions[0]} />;
  return (
    <DialogButton
      label={`${label} …`}
      right="operate"
      dialog={(close) => (
        <ActionDialog
          title={title}
          close={() => {
            setReason('');
            close();
          }}
          actions={actions}
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
  isPaused,
  isHeld,
  ...what
}: Stoppable & { readonly isPaused: boolean; readonly isHeld: boolean }): VNode {
  return (
    <>
      <StopButton {...what} label="Pause" isStopped={isPaused}>
        No job starts until it is resumed. Running calls finish.
      </StopButton>
      <StopButton {...what} label="Hold" isStopped={isHeld}>
        A hold is a pause that ends by itself. Running calls finish.
      </StopButton>
    </>
  );
}
