import type { QueueName } from '../../domain/queue-name.ts';

/**
 * What may have changed: the workers or the policies on record; since jobs were cancelled, who holds them; since a
 * queue was opened, whether there are jobs for those who were told to come back later.
 */
export type Signal = 'workers' | 'policies' | 'cancelled' | 'opened';

/** What a signal is about; nothing when it may be about anything. */
export interface SignalScope {
  readonly queue?: QueueName;
  readonly jobId?: string;
}

/**
 * Wakes the other replicas when something may have changed. A signal says that something may have changed, and no more:
 * the record is the truth, and whoever is woken reads it. A signal may get lost with a connection, so
 * whoever listens also looks at the record every now and then.
 */
export interface ReplicaSignalsPort {
  /** Wakes every listener, on this replica and on all others. It does not wait for them and never throws. */
  send(signal: Signal, scope?: SignalScope): void;

  /**
   * Calls the listener after every such signal, and whenever signals may have been missed, such as after a
   * lost connection; then without a scope. A connection that dies silently is noticed within five seconds.
   *
   * @returns a function that removes the listener.
   */
  listen(signal: Signal, listener: (scope: SignalScope) => void): () => void;
}
