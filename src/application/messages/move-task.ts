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
}

export type MoveState = 'running' | 'completed' | 'cancelled' | 'failed';

export interface MoveTask extends MoveOrder {
  readonly id: string;
  readonly state: MoveState;
  readonly moved: number;
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
  return { ...order, id, state: stateOf(job), moved: movedOf(job), startedAt: timestamp, reason };
}

export function moveOrderOf({ data }: Pick<Job, 'data'>): MoveOrder | undefined {
  return isObject(data) && 'source' in data ? (data as unknown as MoveOrder) : undefined;
}

/** How many messages a task had moved when it said so last. */
export function movedOf({ progress }: Pick<Job, 'progress'>): number {
  return typeof progress === 'number' ? progress : 0;
}

function stateOf({ state, failedReason }: Job): MoveState {
  if (state === 'completed') return 'completed';
  if (state !== 'failed') return 'running';
  return failedReason === MOVE_CANCELLED ? 'cancelled' : 'failed';
}
