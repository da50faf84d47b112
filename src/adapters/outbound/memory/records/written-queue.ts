import type { QueueRecord, RunningCalls } from '../../../../domain/records/queue-record.ts';
import type { FailedByClaim } from '../../../../domain/transitions/queue-state.ts';
import type { StoredQueue } from '../state/stored-queue.ts';
import type { KeptSince } from './event-record.ts';
import type { WrittenShared } from './group-record.ts';

/** A queue as such, as it is written. */
export interface WrittenQueue extends Omit<QueueRecord, 'calls' | 'endingCalls'> {
  /** Distinguishes the queue from a removed one of the same name. Records of earlier versions have none. */
  readonly identity?: string;
  readonly calls: readonly (readonly [
    id: string,
    call: { readonly size: number; readonly until: number },
  ])[];
  readonly endingCalls: readonly (readonly [token: string, until: number])[];
  /** How many starts the limiter does not count any more. */
  readonly outdatedStarts: number;
  /** The jobs that claims failed, and that no sweep has seen yet. */
  readonly failedByClaims: readonly FailedByClaim[];
  readonly groups: WrittenShared;
  readonly events: KeptSince;
}

export function writtenQueue(queue: StoredQueue): WrittenQueue {
  const { record, identity, jobs, groups, starts, events } = queue;
  return {
    ...record,
    identity,
    calls: [...record.calls],
    endingCalls: [...record.endingCalls],
    outdatedStarts: starts.dropped,
    failedByClaims: jobs.failedByClaims.record,
    groups: groups.sharedRecord,
    events: events.kept,
  };
}

/** Takes a queue as such, as it was written. */
export function takeQueue(queue: StoredQueue, written: WrittenQueue): void {
  const { calls, endingCalls, outdatedStarts, failedByClaims, groups, events, ...rest } = written;
  const { identity, ...record } = rest;
  if (identity !== undefined) queue.identity = identity;
  const running: RunningCalls = new Map(calls);
  queue.restore({ ...record, calls: running, endingCalls: new Map(endingCalls) });
  queue.starts.restoreDropped(outdatedStarts);
  queue.jobs.failedByClaims.restore(failedByClaims);
  queue.groups.restoreShared(groups);
  queue.events.restoreKept(events);
}
