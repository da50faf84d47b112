import { effect, signal } from '@preact/signals';
import type { Whoami } from '../../typescript/src/api.ts';
import { ApiError, call, send, signedOut } from './request.ts';

/** The caller that is signed in: undefined until the service has answered, null without a session. */
export const whoami = signal<Whoami | null | undefined>(undefined);

/** Whether pages offer actions at all. */
export const isReadOnly = document.documentElement.dataset['mode'] === 'readonly';

/** Whether people can sign in at an issuer. */
export const canSignIn = document.documentElement.dataset['signIn'] !== undefined;

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

/** Who signed in at the issuer gets there to sign out too. */
export async function signOut(): Promise<void> {
  try {
    if (whoami.peek()?.via === 'sign-in') {
      const { url } = await call<{ readonly url: string | null }>({
        method: 'POST',
        path: 'sign-out',
      });
      if (url !== null) location.assign(url);
    } else {
      await send({ method: 'DELETE', path: 'sessions' });
    }
  } finally {
    whoami.value = null;
  }
}

export function may(right: string): boolean {
  const rights = whoami.value?.rights ?? [];
  return rights.includes('admin') || rights.includes(right);
}
