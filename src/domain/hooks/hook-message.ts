import type { MissedSlot } from './missed-slots.ts';
import type { JobSummary } from '../jobs/job-summary.ts';
import type { QueueName } from '../queues/queue-name.ts';
import type { ConditionEvent, JobEvent } from './hook-events.ts';

/** Largest return value that a message contains, in bytes of JSON. */
export const MOST_RETURNED = 10_000;

/** Most queues that a message names. */
export const MOST_NAMED = 20;

/** A queue of which a condition began or ended. */
export interface AffectedQueue {
  readonly queue: QueueName;
  /** What exceeded the threshold, in its unit; null for a condition without one, and for a queue that is gone. */
  readonly value: number | null;
  /** When the condition began, epoch ms. */
  readonly since: number;
}

/** That a condition began, lasts or ended. */
export interface ConditionMessage {
  readonly kind: 'condition';
  readonly type: ConditionEvent;
  readonly isOver: boolean;
  /** When this was found, epoch ms. */
  readonly at: number;
  /** Up to MOST_NAMED. */
  readonly queues: readonly AffectedQueue[];
  /** How many other queues there are. */
  readonly more: number;
  /** Null for a condition without one. */
  readonly threshold: number | null;
}

/** That a job ended for good. */
export interface JobMessage {
  readonly kind: 'job';
  readonly type: JobEvent;
  readonly at: number;
  readonly queue: QueueName;
  readonly job: JobSummary;
  /** The return value as JSON, or the reason; null for a return value of more than MOST_RETURNED bytes. */
  readonly value: string | null;
  /** The size of a return value that is left out, in bytes. */
  readonly valueSize?: number;
  /** How many attempts were made. */
  readonly attempts: number;
}

/** That a scheduler made no job for a slot in time. */
export interface MissedMessage extends MissedSlot {
  readonly kind: 'missed';
  readonly type: 'scheduler.missed';
  readonly at: number;
}

/** That a delivery of another hook failed for good. */
export interface FailingMessage {
  readonly kind: 'failing';
  readonly type: 'hook.failing';
  readonly at: number;
  /** The id of that hook. */
  readonly failing: string;
  readonly delivery: string;
  readonly reason: string;
  /** The job that the delivery was about, for erasures; absent for one about none. */
  readonly job?: { readonly queue: QueueName; readonly id: string; readonly group: string | null };
}

/** Sent on request, to try a hook. */
export interface TestMessage {
  readonly kind: 'test';
  readonly type: 'hook.test';
  readonly at: number;
}

/** What a hook sends, before it has a format. Times are epoch ms. */
export type HookMessage =
  ConditionMessage | JobMessage | MissedMessage | FailingMessage | TestMessage;

/** The name of the event as receivers get it. */
export function messageType(message: HookMessage): string {
  return message.kind === 'condition' && message.isOver ? `${message.type}.resolved` : message.type;
}

/** The queues that a message is about, as far as it names them. */
export function namedQueues(message: HookMessage): readonly QueueName[] {
  switch (message.kind) {
    case 'condition':
      return message.queues.map(({ queue }) => queue);
    case 'job':
    case 'missed':
      return [message.queue];
    case 'failing':
    case 'test':
      return [];
  }
}
