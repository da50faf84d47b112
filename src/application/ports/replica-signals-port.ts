import type { QueueName } from '../../domain/queues/queue-name.ts';

/**
 * What may have changed: the stored `workers` or `policies`; the holders of jobs, since some were `cancelled`; or
 * whether there are jobs for waiters that claimed too early, since a queue was `opened`.
 */
export type Signal = 'workers' | 'policies' | 'cancelled' | 'opened';

/** What a signal is about; empty when it may be about anything. */
export interface SignalScope {
  readonly queue?: QueueName;
  readonly jobId?: string;
}

/**
 * Wakes the other replicas when something may have changed. A signal says no more than that: the record is the truth,
 * and a woken listener reads it. A signal may get lost with a connection, so a listener also reads the record every
 * now and then.
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
