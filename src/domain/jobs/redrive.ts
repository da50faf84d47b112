import { invalidRequest } from '../errors.ts';
import { limiterShape, type Limiter } from '../queues/limiter.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { object, optional, type Shape, type Shaped } from '../values/shape.ts';
import {
  repairBoundFields,
  repairBounds,
  repairSelectionFields,
  type BulkRepair,
} from './bulk-repair.ts';
import { statesWithin } from './job-actions.ts';
import {
  filteredFields,
  matchesFilter,
  type FilteredField,
  type FilteredJob,
  type JobFilter,
} from './job-filter.ts';
import type { JobState } from './job-status.ts';
import type { LetterOrigin } from './letter.ts';

/** Most milliseconds from one letter to the next that a rate may ask for. */
const LONGEST_PACE = 60_000;

/** Most letters that are brought back in one piece. */
const PIECE = 50;

/** In which states letters are brought back unless the filter says otherwise. */
const STATES: readonly JobState[] = ['waiting', 'prioritized', 'delayed', 'failed'];

/** The shape of a redrive. @param queue that of the names of queues. */
export function redriveShape(queue: Shape<QueueName>) {
  return object('LetterRedrive', {
    ...repairSelectionFields,
    to: optional(
      queue,
      'Where the letters go; back to the queues that they came from unless given',
    ),
    rate: optional(limiterShape, 'The most letters that are brought back in a window of time'),
    ...repairBoundFields,
  });
}

export type RedriveInput = Shaped<ReturnType<typeof redriveShape>>;

/** A redrive that passed every rule. */
export interface Redrive extends Pick<BulkRepair, 'filter' | 'states' | 'limit' | 'isDryRun'> {
  /** Undefined for the queues that the letters came from. */
  readonly to: QueueName | undefined;
  readonly rate: Limiter | undefined;
}

/** @throws DomainError `invalid-request` naming the field. */
export function redriveOf(queue: QueueName, input: RedriveInput): Redrive {
  const { to, rate, ...selection } = input;
  if (to === queue) throw invalidRequest('to must be another queue', 'to');
  if (rate !== undefined && rate.duration / rate.max > LONGEST_PACE) {
    throw invalidRequest(
      `rate must allow a letter in ${LONGEST_PACE} ms: duration must be at most max times that`,
      'rate',
    );
  }
  const bounds = repairBounds(selection);
  return { ...bounds, states: redrivenStates(bounds.filter), to, rate };
}

function redrivenStates({ ids, statuses }: JobFilter): readonly JobState[] {
  if (statuses !== undefined) return statesWithin('remove', statuses);
  return ids === undefined ? STATES : statesWithin('remove');
}

/** The fields of letters that the filter examines. */
export function redrivenFields({ filter }: Redrive): readonly (FilteredField | 'origin')[] {
  return ['origin', ...filteredFields(filter).filter((field) => field !== 'answerStatus')];
}

type ScannedLetter = FilteredJob & { readonly origin?: LetterOrigin };

/**
 * Where the redrive takes a job of the queue; undefined for one that it does not take. The filter compares the reason,
 * the cause, the status and the group with those of the original.
 */
export function targetOf(
  { filter, states, to }: Redrive,
  job: ScannedLetter,
): QueueName | undefined {
  const { origin } = job;
  if (origin === undefined || !states.includes(job.state)) return undefined;
  return matchesFilter(filter, withOrigin(job, origin)) ? (to ?? origin.queue) : undefined;
}

function withOrigin(
  { id, state, name, group, data, timestamp }: ScannedLetter,
  { failedReason, opts }: LetterOrigin,
): FilteredJob {
  const of = originGroup(opts) ?? group;
  return {
    id,
    state,
    ...(name !== undefined && { name }),
    ...(of !== undefined && { group: of }),
    ...(data !== undefined && { data }),
    ...(failedReason !== undefined && { failedReason }),
    ...(timestamp !== undefined && { timestamp }),
  };
}

function originGroup(opts: LetterOrigin['opts']): string | undefined {
  const group = opts?.['group'] as { readonly id?: unknown } | undefined;
  return typeof group?.id === 'string' ? group.id : undefined;
}

/** How many letters make a piece, and how long (ms) after its begin the next one may begin. */
export function paceOf(rate: Limiter | undefined): {
  readonly size: number;
  pause(letters: number): number;
} {
  if (rate === undefined) return { size: PIECE, pause: () => 0 };
  const inOneSecond = Math.floor((1000 * rate.max) / rate.duration);
  const size = Math.min(PIECE, rate.max, Math.max(1, inOneSecond));
  return { size, pause: (letters) => (letters * rate.duration) / rate.max };
}
