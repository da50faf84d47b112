import { NO_QUEUES } from '../../domain/access/queue-patterns.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { isObject } from '../../domain/values/json.ts';

/** What a task has to do that moves the messages of a dead letter queue: the data of its job. */
export interface MoveOrder {
  readonly source: QueueName;
  /** Null for the queues that the messages came from. */
  readonly destination: QueueName | null;
  /** Most messages in a second; null for no such limit. */
  readonly rate: number | null;
  /** How many messages there were when it began. */
  readonly found: number;
  /** Patterns of the queues to which its starter may add, null for all: messages from other queues stay. */
  readonly addsTo: readonly string[] | null;
}

/** How far a task has come. */
export interface MoveProgress {
  readonly moved: number;
  /** How many messages stay, since its starter may not add to the queues that they came from. */
  readonly failed: number;
}

export type MoveState = 'running' | 'completed' | 'cancelled' | 'failed';

export interface MoveTask extends MoveOrder, MoveProgress {
  readonly id: string;
  readonly state: MoveState;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly reason: string | undefined;
}

/** The reason with which a task fails that somebody cancelled. */
export const MOVE_CANCELLED = 'Cancelled';

/** The task that a job is; undefined for what is none. */
export function moveTaskOf(job: Job): MoveTask | undefined {
  const order = moveOrderOf(job);
  if (order === undefined) return undefined;
  const { id, timestamp, failedReason: reason } = job;
  return { ...order, id, state: stateOf(job), ...progressOf(job), startedAt: timestamp, reason };
}

export function moveOrderOf({ data }: Pick<Job, 'data'>): MoveOrder | undefined {
  if (!isObject(data) || !('source' in data)) return undefined;
  // Earlier versions did not record the rights of the starter.
  return { addsTo: NO_QUEUES, ...(data as unknown as Omit<MoveOrder, 'addsTo'>) };
}

/** How far a task had come when it said so last. Earlier versions have the number of moved messages alone. */
export function progressOf({ progress }: Pick<Job, 'progress'>): MoveProgress {
  if (isObject(progress)) return progress as unknown as MoveProgress;
  return { moved: typeof progress === 'number' ? progress : 0, failed: 0 };
}

function stateOf({ state, failedReason }: Job): MoveState {
  if (state === 'completed') return 'completed';
  if (state !== 'failed') return 'running';
  return failedReason === MOVE_CANCELLED ? 'cancelled' : 'failed';
}
