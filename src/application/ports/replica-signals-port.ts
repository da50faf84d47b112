import type { QueueName } from '../../domain/queues/queue-name.ts';

/**
 * A signal names what may have changed: the stored `workers`, `policies`, `hooks` or `topics`; the holders of jobs, because some were `cancelled`; the
 * availability of jobs for waiters that claimed too early, because a queue was `opened`; or what replicas know of jobs,
 * because some were `erased`.
 */
export type Signal =
  'workers' | 'policies' | 'hooks' | 'topics' | 'cancelled' | 'opened' | 'erased';

/** The scope of a signal; empty when anything may have changed. */
export interface SignalScope {
  readonly queue?: QueueName;
  readonly jobId?: string;
}

/**
 * Wakes the other replicas when something may have changed. A signal carries no further information: the record is
 * authoritative, and a woken listener reads it. A signal may get lost with a connection, so a listener must also read
 * the record from time to time.
 */
export interface ReplicaSignalsPort {
  /** Wakes every listener, on this replica and all others. It neither waits for them nor throws. */
  send(signal: Signal, scope?: SignalScope): void;

  /**
   * Calls the listener after every such signal, and, without a scope, whenever signals may have been missed, such as
   * after a lost connection. A connection that dies silently is noticed within five seconds.
   *
   * @returns a function that removes the listener.
   */
  listen(signal: Signal, listener: (scope: SignalScope) => void): () => void;
}
