import type { ButtonHTMLAttributes, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { asCurl } from '../api/curl.ts';
import { call, messageOf, type ApiRequest } from '../api/request.ts';
import { isReadOnly, may } from '../api/session.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog, type DialogProperties } from './dialog.tsx';
import { Typed } from './fields.tsx';
import { toast } from './toasts.tsx';

/** An action of a person, as one request. */
export interface Action {
  readonly label: string;
  readonly right: string;
  readonly request: ApiRequest;
  /** The message after a success. */
  readonly done: string;
  /** The consequence of an action that cannot be undone: a dialog shows it and asks. */
  readonly warning?: string;
  readonly undo?: ApiRequest;
  readonly after?: ((answer: unknown) => void) | undefined;
}

export async function perform({ request, done, undo, after }: Action): Promise<void> {
  try {
    const answer = await call(request);
    const undoing = undo && { request: undo, label: 'Undo', right: '', done: 'Undone', after };
    toast(done, { request, undo: undoing && (() => void perform(undoing)) });
    after?.(answer);
  } catch (error) {
    toastFailure(error, request);
  }
}

export function toastFailure(error: unknown, request?: ApiRequest): void {
  toast(messageOf(error), { isFailure: true, request });
}

/** The right is undefined for what changes nothing, such as a copy. */
export type RightButtonAttributes = ButtonHTMLAttributes & { readonly right?: string | undefined };

/** A button that everyone sees, disabled with the name of the right for those who lack it. */
export function RightButton({ right, ...button }: RightButtonAttributes): VNode | null {
  if (right === undefined) return <Button {...button} />;
  if (isReadOnly) return null;
  return may(right) ? (
    <Button {...button} />
  ) : (
    <Button {...button} disabled title={`Needs the right ${right}`} />
  );
}

/** Starts actions: it sends their requests at once, or after a dialog that asks. */
export function useActions() {
  const [asked, setAsked] = useState<Action | undefined>();
  return {
    start: (action: Action): void => {
      if (action.warning === undefined) void perform(action);
      else setAsked(action);
    },
    dialog: asked && (
      <ActionDialog title={asked.label} actions={[asked]} close={() => setAsked(undefined)}>
        <p>{asked.warning}</p>
      </ActionDialog>
    ),
  };
}

/** The request of an action, as the title of its button. */
export function titleOf({ request }: Action): string {
  return `${request.method} /${request.path}`;
}

export function ActionButton({
  action,
  ...button
}: ButtonHTMLAttributes & { readonly action: Action }): VNode {
  const { start, dialog } = useActions();
  return (
    <>
      <RightButton
        {...button}
        right={action.right}
        title={titleOf(action)}
        onClick={() => start(action)}
      >
        {action.label}
      </RightButton>
      {dialog}
    </>
  );
}

/** Asks before an action, and shows what it will send. */
export function ActionDialog({
  actions,
  expected,
  children,
  ...dialog
}: DialogProperties & {
  readonly actions: readonly Action[];
  /** A name that has to be typed first, since the action cannot be undone. */
  readonly expected?: string;
}): VNode {
  const [typed, setTyped] = useState('');
  return (
    <Dialog
      {...dialog}
      buttons={actions.map((action) => (
        <Button
          key={action.label}
          class={action.warning === undefined && expected === undefined ? 'primary' : 'danger'}
          disabled={expected !== undefined && typed !== expected}
          onClick={() => {
            dialog.close();
            void perform(action);
          }}
        >
          {action.label}
        </Button>
      ))}
    >
      {children}
      {expected !== undefined && <Typed expected={expected} value={typed} change={setTyped} />}
      {actions[0] && <RequestShown request={actions[0].request} />}
    </Dialog>
  );
}

/** A request as the command that sends it. */
export function RequestShown({ request }: { readonly request: ApiRequest }): VNode {
  const command = asCurl(request);
  return (
    <details class="request">
      <summary>The request that this sends</summary>
      <pre tabIndex={0}>{command}</pre>
      <CopyButton text={command} label="Copy as curl" />
    </details>
  );
}
