import { isObject } from '../../../../domain/json.ts';
import type { JobState } from '../../../../domain/job-status.ts';
import type { QueueName } from '../../../../domain/queue-name.ts';
import type { Repeat, StoredScheduler } from '../../../../domain/scheduler.ts';
import { without } from '../../../../domain/without.ts';
import { jobFromRecord, jobRecord, storedNumber, storedValue } from '../layout/job-record.ts';
import { PAUSED } from './paused-scripts.ts';
import type { SchedulerAnswer } from './scheduler-scripts.ts';

/** The slot that a job was made for, by its id: epoch ms. */
export function slotOf(jobId: string): number {
  return Number(jobId.slice(jobId.lastIndexOf(':') + 1));
}

/** A scheduler as its record in the store tells it. */
export function schedulerFromRecord(
  [id, slot, fields, planned, last]: NonNullable<SchedulerAnswer>,
  queue: QueueName,
): StoredScheduler {
  const record = jobRecord(fields);
  const { name, data, opts } = jobFromRecord(id, record, queue);
  return {
    id,
    repeat: repeatOf(record),
    job: { name, data, opts: without(opts, 'delay') },
    ...plannedOf(slot, planned, record.get(PAUSED)),
    ...(last && {
      last: { at: slotOf(last[0]), jobId: last[0], state: last[1] as JobState | null },
    }),
  };
}

function plannedOf(
  slot: string,
  opts: string | null,
  paused: string | undefined,
): Pick<StoredScheduler, 'paused' | 'planned'> {
  if (paused === undefined) {
    const planned = opts !== null && { planned: { slot: Number(slot), count: countIn(opts) } };
    return { paused: false, ...planned };
  }
  const [pausedSlot, count] = paused.split(':').map(Number);
  const planned = pausedSlot && count ? { planned: { slot: pausedSlot, count } } : {};
  return { paused: true, ...planned };
}

export function repeatOf(record: ReadonlyMap<string, string>): Repeat {
  const pattern = record.get('pattern');
  const tz = record.get('tz');
  const numbers = (['every', 'limit', 'startDate', 'endDate'] as const).flatMap((name) => {
    const value = storedNumber(record.get(name));
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...(pattern !== undefined && { pattern }),
    ...(tz !== undefined && { tz }),
    ...Object.fromEntries(numbers),
  };
}

/** Which of its scheduler's jobs it is, by its options. */
function countIn(opts: string): number {
  const stored = storedValue(opts);
  const repeat = isObject(stored) ? stored['repeat'] : undefined;
  const count = isObject(repeat) ? repeat['count'] : undefined;
  return typeof count === 'number' ? count : 1;
}
