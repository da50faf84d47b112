import { DomainError } from '../errors.ts';
import { unreadableReason, type UnreadableSecret } from '../values/secret-text.ts';
import type { Worker } from './worker.ts';

/** The worker as it runs in the meantime: disabled. @param since epoch ms. */
export function unreadableWorker(worker: Worker, secret: UnreadableSecret, since: number): Worker {
  const unreadable = unreadableReason(secret);
  return { ...worker, unreadable, disabled: { since, reason: unreadable } };
}

/** @throws DomainError `worker-unreadable` for a worker whose secrets are needed and cannot be read. */
export function requireReadable({ unreadable }: Worker): void {
  if (unreadable !== undefined) throw new DomainError('worker-unreadable', unreadable);
}
