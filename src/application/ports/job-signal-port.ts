import type { AddIdentity } from '../../domain/jobs/add-identity.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Page } from '../../domain/values/page.ts';
import type { Natures } from './nature.ts';

/** A signal that is kept or that jobs wait for. */
export interface ListedSignal {
  readonly key: string;
  /** How many jobs wait for it. */
  readonly waiting: number;
  /** Epoch ms; null when it is not kept. */
  readonly keptUntil: number | null;
}

/** Some signals of a queue, and how many there are. */
export interface SignalsPage {
  readonly total: number;
  readonly signals: readonly ListedSignal[];
}

/** A signal that was sent. */
export interface SentSignal {
  readonly woken: number;
  readonly isRepeated: boolean;
}

/**
 * Signals wake suspended jobs (further contract, section 22, "Signals"). Methods throw DomainError `store-unavailable`
 * when the store cannot be reached.
 */
export interface JobSignalPort {
  /**
   * Wakes the jobs that wait for a signal now, in pieces: others have their turn between them.
   *
   * @param body as JSON.
   * @param keep for how long (ms) waits that begin later find it, in place of one of the same key; 0 leaves that as it is.
   * @param identity of a request that may be repeated: it wakes nothing then, and has the answer of the first.
   * @returns how many jobs waited for it; `other` when the key was used for another request.
   * @throws DomainError `limit-reached` when the queue keeps MOST_KEPT_SIGNALS others.
   */
  send(
    queue: QueueName,
    key: string,
    body: string,
    keep: number,
    identity?: AddIdentity,
  ): Promise<SentSignal | 'other'>;

  /** Signals by key, of those that are kept or waited for, and how many there are. */
  list(queue: QueueName, page: Page): Promise<SignalsPage>;

  /** @returns whether it was kept. */
  forget(queue: QueueName, key: string): Promise<boolean>;
}

export const JOB_SIGNAL_NATURES: Natures<JobSignalPort> = {
  send: { is: 'grows', inPieces: true, isLong: true },
  list: 'reads queue',
  forget: 'changes',
};
