import { effect, signal } from '@preact/signals';
import type { Whoami } from '../../typescript/src/api.ts';
import { ApiError, call, send, signedOut } from './request.ts';

/** The caller that is signed in: undefined until the service has answered, null without a session. */
export const whoami = signal<Whoami | null | undefined>(undefined);

/** Whether pages offer actions at all. */
export const isReadOnly = document.documentElement.dataset['mode'] === 'readonly';

effect(() => {
  if (signedOut.value > 0) whoami.value = null;
});

export async function findOutWho(): Promise<void> {
  try {
    whoami.value = await call<Whoami>({ method: 'GET', path: 'whoami' });
  } catch (error) {
    if (whoami.peek() !== undefined) return;
    if (error instanceof ApiError && error.status === 401) whoami.value = null;
    else setTimeout(() => void findOutWho(), 2000);
  }
}

/** Opens a session. The token is sent in this one request, and kept nowhere. @throws ApiError */
export async function signIn(token: string): Promise<void> {
  await send({ method: 'POST', path: 'sessions' }, { Authorization: `Bearer ${token}` });
  await findOutWho();
}

/** A person who signed in at the issuer goes there to end that too. */
export async function signOut(): Promise<void> {
  const isPerson = whoami.peek()?.via === 'sign-in';
  try {
    const answer = await send(
      isPerson ? { method: 'POST', path: 'sign-out' } : { method: 'DELETE', path: 'sessions' },
    );
    const { url } = (isPerson ? await answer.json() : {}) as { readonly url?: string | null };
    if (url) location.assign(url);
  } finally {
    whoami.value = null;
  }
}

export function may(right: string): boolean {
  const rights = whoami.value?.rights ?? [];
  return rights.includes('admin') || rights.includes(right);
}
