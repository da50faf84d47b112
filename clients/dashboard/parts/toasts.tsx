import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { asCurl } from '../api/curl.ts';
import type { ApiRequest } from '../api/request.ts';
import { CopyButton } from './copy-button.tsx';
import { Quiet } from './button.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isFailure: boolean;
  /** The request that was sent. */
  readonly request?: ApiRequest | undefined;
  readonly undo?: (() => void) | undefined;
}

/** How long the message of a success stays, in milliseconds. That of a failure stays until it is dismissed. */
const SUCCESS = 4000;

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

export function toast(text: string, more: Partial<Omit<Toast, 'id' | 'text'>> = {}): void {
  lastId += 1;
  const id = lastId;
  const { isFailure = false } = more;
  toasts.value = [...toasts.value.slice(-3), { id, text, ...more, isFailure }];
  if (!isFailure) setTimeout(() => dismiss(id), SUCCESS);
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((each) => each.id !== id);
}

export function Toasts(): VNode {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, isFailure, request, undo }) => (
        <div key={id} class={isFailure ? 'toast toast-failed' : 'toast'}>
          <p>{text}</p>
          {undo && <Quiet onClick={undo}>Undo</Quiet>}
          {request && <CopyButton text={asCurl(request)} label="Copy as curl" />}
          <Quiet onClick={() => dismiss(id)}>Dismiss</Quiet>
        </div>
      ))}
    </div>
  );
}
