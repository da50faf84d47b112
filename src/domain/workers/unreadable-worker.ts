import { DomainError } from '../errors.ts';
import type { Worker } from './worker.ts';

/** A secret that cannot be read with the keys at hand. */
export interface UnreadableSecret {
  readonly field: string;
  /** The id of its key. */
  readonly key: string;
  /** Whether there is a key of this id, which then is another one, or the secret was written for another place. */
  readonly hasKey: boolean;
}

/** The worker as it runs meanwhile: disabled. @param since epoch ms. */
export function unreadableWorker(
  worker: Worker,
  { key, hasKey }: UnreadableSecret,
  since: number,
): Worker {
  const problem = hasKey ? 'does not open it' : 'is missing';
  const unreadable = `Secret cannot be read (key ${key} ${problem})`;
  return { ...worker, unreadable, disabled: { since, reason: unreadable } };
}

/** @throws DomainError `worker-unreadable` for a worker whose secrets are needed and cannot be read. */
export function requireReadable({ unreadable }: Worker): void {
  if (unreadable !== undefined) throw new DomainError('worker-unreadable', unreadable);
}
