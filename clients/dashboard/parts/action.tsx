import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { asCurl } from '../api/curl.ts';
import { call, messageOf, type ApiRequest } from '../api/request.ts';
import { isReadOnly, may } from '../api/session.ts';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';
import { Field } from './fields.tsx';
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

/** A button that everyone sees, disabled with the name of the right for those who lack it. */
export function RightButton({
  right,
  title,
  kind,
  disabled = false,
  onClick,
  children,
}: {
  readonly right: string;
  readonly title?: string | undefined;
  readonly kind?: 'danger' | 'primary' | undefined;
  readonly disabled?: boolean;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}): VNode | null {
  if (isReadOnly) return null;
  const isAllowed = may(right);
  return (
    <button
      type="button"
      class={kind}
      disabled={disabled || !isAllowed}
      title={isAllowed ? title : `Needs the right ${right}`}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

/** Sends the request of the action at once, or after asking. */
export function ActionButton({
  action,
  kind,
}: {
  readonly action: Action;
  readonly kind?: 'danger' | 'primary';
}): VNode {
  const [asks, setAsks] = useState(false);
  const { label, right, request, warning } = action;
  return (
    <>
      <RightButton
        right={right}
        kind={kind}
        title={`${request.method} /${request.path}`}
        onClick={() => {
          if (warning === undefined) void perform(action);
          else setAsks(true);
        }}
      >
        {label}
      </RightButton>
      {asks && (
        <ActionDialog title={label} actions={[action]} close={() => setAsks(false)}>
          <p>{warning}</p>
        </ActionDialog>
      )}
    </>
  );
}

/** Asks before an action, and shows what it will send. */
export function ActionDialog({
  title,
  actions,
  expected,
  close,
  children,
}: {
  readonly title: string;
  readonly actions: readonly Action[];
  /** A name that has to be typed first, since the action cannot be undone. */
  readonly expected?: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}): VNode {
  const [typed, setTyped] = useState('');
  return (
    <Dialog
      title={title}
      close={close}
      buttons={actions.map((action) => (
        <button
          key={action.label}
          type="button"
          class={action.warning === undefined && expected === undefined ? 'primary' : 'danger'}
          disabled={expected !== undefined && typed !== expected}
          onClick={() => {
            close();
            void perform(action);
          }}
        >
          {action.label}
        </button>
      ))}
    >
      {children}
      {expected !== undefined && (
        <Field
          label={
            <>
              Type <code>{expected}</code> to go on
            </>
          }
          autocomplete="off"
          value={typed}
          change={setTyped}
        />
      )}
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
