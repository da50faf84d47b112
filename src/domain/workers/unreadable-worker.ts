import { DomainError } from '../errors.ts';
import type { Worker } from './worker.ts';

/** A secret that the available keys cannot decrypt. */
export interface UnreadableSecret {
  readonly field: string;
  /** The id of its key. */
  readonly key: string;
  /** Whether a key with this id exists; then the key differs, or the secret was encrypted for another place. */
  readonly hasKey: boolean;
}

/** The worker as it runs in the meantime: disabled. @param since epoch ms. */
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
