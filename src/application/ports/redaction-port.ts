import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Natures } from './nature.ts';
import type { SweepStep } from './sweep-step.ts';

/** How many queues one step looks at, at most. */
export const QUEUES_PER_REDACTION = 100;

/** How many jobs one step redacts, at most: what takes a store a few milliseconds. */
export const JOBS_PER_REDACTION = 200;

/** How long the values of the jobs of a queue stay after these have ended. */
export interface KeptPayloads {
  readonly queue: QueueName;
  /** Milliseconds. */
  readonly keep: number;
  /** How far the steps before got in the queue, as they left it. */
  readonly seen?: string;
}

/**
 * Removes the values of jobs that ended, and keeps the jobs (reach contract, section 20). Methods throw DomainError
 * `store-unavailable` when the store cannot be reached, within STORE_PATIENCE.
 */
export interface RedactionPort {
  /**
   * Redacts the oldest of the jobs that ended longer ago than their queue keeps values: JOBS_PER_REDACTION of all queues
   * together, or a few MB. It removes the values that domain/records/redaction names, the log of the job, what it
   * returned as its parent knows it, what its children returned, and its values in kept events, which stay without them.
   * No event reports it. Never creates a queue.
   *
   * @param queues QUEUES_PER_REDACTION at most.
   */
  redactBeyond(queues: readonly KeptPayloads[]): Promise<SweepStep<KeptPayloads>>;
}

export const REDACTION_NATURES: Natures<RedactionPort> = {
  redactBeyond: 'notes',
};
