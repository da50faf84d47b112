import { isObject, jsonText } from '../../../../domain/values/json.ts';
import type { JobOptions } from '../../../../domain/jobs/job-options.ts';
import type { JobState } from '../../../../domain/jobs/job-status.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type {
  NewScheduler,
  Repeat,
  SchedulerSource,
  StoredScheduler,
} from '../../../../domain/schedulers/scheduler.ts';
import type { Standing } from '../../../../domain/schedulers/slots.ts';
import { without } from '../../../../domain/values/without.ts';
import {
  jobFromRecord,
  jobRecord,
  storedNumber,
  storedOptions,
  storedValue,
} from '../layout/job-record.ts';
import { STOP } from '../layout/gate-keys.ts';
import { stopOf, stopText } from '../layout/stop-text.ts';
import { OVERLAP, PAUSED, RUN_BY_HAND, SOURCE } from '../layout/scheduler-fields.ts';
import type { SchedulerAnswer } from '../scripts/reading.ts';

/** What a job records about the scheduler that made it. */
export interface Repetition {
  readonly repeat: Repeat;
  /** The number of the job, from 1. */
  readonly count: number;
  /** The repetition as stored, with anything else that native clients keep there. */
  readonly stored: object;
}

/** The slot that a job was made for, by its id: epoch ms. */
export function slotOf(jobId: string): number {
  return Number(jobId.slice(jobId.lastIndexOf(':') + 1));
}

/** Undefined for a job that no scheduler made. */
export function repetitionOf(opts: JobOptions): Repetition | undefined {
  const { repeat: stored }: { readonly repeat?: unknown } = opts as object;
  if (!isObject(stored)) return undefined;
  const terms = Object.entries(stored).map(([name, value]) => [name, String(value)] as const);
  return { repeat: repeatOf(new Map(terms)), count: countIn(opts), stored };
}

/** The terms of a scheduler under the names that BullMQ has for them in its record and in its jobs. */
export function storedRepeat({ pattern, tz, every, limit, startDate, endDate }: Repeat): object {
  // Beginning at once needs no field: with a pattern, the first slot shows it; without one, a scheduler always does.
  return defined({ pattern, tz, every, limit, startDate, endDate });
}

/** The fields of a scheduler's record that define it, with the given first slot. */
export function recordFields(
  { repeat, job: { name, data, opts }, overlap, paused, pause, source }: NewScheduler,
  slot: number | undefined,
): Readonly<Record<string, string | number>> {
  const { every } = repeat;
  return {
    name,
    data: jsonText(data),
    opts: storedOptions(opts),
    ...storedRepeat(repeat),
    // Native clients use it to find the slots again after some have passed.
    ...(every !== undefined && slot !== undefined && { offset: slot % every }),
    ...(overlap !== 'allow' && { [OVERLAP]: overlap }),
    ...(source && { [SOURCE]: JSON.stringify(source) }),
    ...(paused && { [PAUSED]: slot === undefined ? '' : `${slot}:1` }),
    ...(pause && { [STOP]: stopText(pause) }),
  };
}

/** A scheduler according to its record in the store. */
export function schedulerFromRecord(
  [id, slot, fields, planned, last, runByHand]: NonNullable<SchedulerAnswer>,
  queue: QueueName,
): StoredScheduler {
  const record = jobRecord(fields);
  const { name, data, opts } = jobFromRecord(id, record, queue);
  const pause = record.has(PAUSED) ? stopOf(record.get(STOP)) : undefined;
  return {
    id,
    repeat: repeatOf(record),
    job: { name, data, opts: without(opts, 'delay') },
    overlap: record.get(OVERLAP) === 'skip' ? 'skip' : 'allow',
    ...sourceOf(record.get(SOURCE)),
    ...plannedOf(slot, planned, record.get(PAUSED)),
    ...(pause && { pause }),
    ...(last && {
      last: { at: slotOf(last[0]), jobId: last[0], state: last[1] as JobState | null },
    }),
    ...(runByHand && {
      lastRunByHand: {
        at: Number.parseInt(record.get(RUN_BY_HAND) ?? '', 10),
        jobId: runByHand[0],
        state: runByHand[1] as JobState | null,
      },
    }),
  };
}

/** Where a scheduler stands. */
export function standingOf([
  ,
  slot,
  fields,
  planned,
  last,
]: NonNullable<SchedulerAnswer>): Standing {
  const record = jobRecord(fields);
  return {
    repeat: repeatOf(record),
    slot: Math.floor(Number(slot)),
    hasStarted: planned === null,
    isPaused: record.has(PAUSED),
    lastSlot: last === null ? undefined : slotOf(last[0]),
  };
}

function sourceOf(text: string | undefined): Pick<StoredScheduler, 'source'> {
  return text === undefined ? {} : { source: JSON.parse(text) as SchedulerSource };
}

function plannedOf(
  slot: string,
  opts: string | null,
  paused: string | undefined,
): Pick<StoredScheduler, 'paused' | 'planned'> {
  if (paused === undefined) {
    const planned = opts !== null && {
      planned: { slot: Number(slot), count: countIn(storedValue(opts)) },
    };
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

function defined(fields: Readonly<Record<string, string | number | undefined>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The number of a job among those of its scheduler, from its options. */
function countIn(opts: unknown): number {
  const repeat = isObject(opts) ? opts['repeat'] : undefined;
  const count = isObject(repeat) ? repeat['count'] : undefined;
  return typeof count === 'number' ? count : 1;
}
