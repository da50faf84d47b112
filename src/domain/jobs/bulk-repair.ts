import { checkShape } from '../values/check-shape.ts';
import { invalidRequest } from '../errors.ts';
import { statesFor, statesWithin, type JobAction } from './job-actions.ts';
import {
  filteredFields,
  jobFilterShape,
  matchesFilter,
  type FilteredField,
  type FilteredJob,
  type JobFilter,
} from './job-filter.ts';
import type { JobState } from './job-status.ts';
import { boolean, integer, object, onlyTrue, optional, type Shaped } from '../values/shape.ts';

/** The bulk actions: each applies the action on a single job, in these states unless the filter narrows them. */
const REPAIRS = {
  retry: { action: 'retry', states: ['failed'] },
  promote: { action: 'promote', states: statesFor('promote') },
  clean: { action: 'remove', states: ['completed', 'failed'] },
  cancel: { action: 'cancel', states: statesFor('cancel') },
} as const satisfies Readonly<
  Record<string, { readonly action: JobAction; readonly states: readonly JobState[] }>
>;

export type RepairKind = keyof typeof REPAIRS;

export const REPAIR_KINDS = ['retry', 'promote', 'clean', 'cancel'] as const satisfies RepairKind[];

const DEFAULT_LIMIT = 1000;

/** The filter of a repair. */
export const repairSelectionFields = {
  filter: optional(jobFilterShape, 'Which jobs; `all` in its place takes all that it may'),
  all: optional(onlyTrue, 'Whether all jobs are meant that the repair takes by itself'),
};

/** How much one repair does. */
export const repairBoundFields = {
  limit: optional(integer(1, 10_000), 'Most jobs to repair, the oldest; 1000 unless given'),
  dryRun: optional(boolean, 'Whether nothing is changed, and samples are answered'),
};

export const bulkRepairShape = object('BulkRepair', {
  ...repairSelectionFields,
  olderThan: optional(
    integer(0),
    'Milliseconds since they ended, or since they were added when they have not ended',
  ),
  ...repairBoundFields,
});

export type BulkRepairInput = Shaped<typeof bulkRepairShape>;

/** A bulk repair that passed every rule. */
export interface BulkRepair {
  readonly filter: JobFilter;
  /** Which jobs to search. */
  readonly states: readonly JobState[];
  readonly olderThan: number;
  readonly limit: number;
  readonly isDryRun: boolean;
}

/** @throws DomainError `invalid-request` naming the field. */
export function bulkRepair(kind: RepairKind, input: BulkRepairInput): BulkRepair {
  checkShape(bulkRepairShape, input, '');
  const { olderThan = 0 } = input;
  const { filter, limit, isDryRun } = repairBounds(input);
  return { filter, states: repairedStates(kind, filter), olderThan, limit, isDryRun };
}

/** The common part of all repairs of many jobs. @throws DomainError `invalid-request` naming the field. */
export function repairBounds(
  input: Omit<BulkRepairInput, 'olderThan'>,
): Pick<BulkRepair, 'filter' | 'limit' | 'isDryRun'> {
  const { filter = {}, all, limit = DEFAULT_LIMIT, dryRun = false } = input;
  if (all === true && input.filter !== undefined) {
    throw invalidRequest('all must not be given with filter', 'all');
  }
  if (all !== true && Object.keys(filter).length === 0)
    throw invalidRequest('filter or all is required', 'filter');
  return { filter, limit, isDryRun: dryRun };
}

/** A filter by jobs or statuses applies in every state that allows the action. */
function repairedStates(kind: RepairKind, { ids, statuses }: JobFilter): readonly JobState[] {
  const { action, states } = REPAIRS[kind];
  if (statuses !== undefined) return statesWithin(action, statuses);
  return ids === undefined ? states : statesFor(action);
}

/** Whether the repair covers every job in its states. */
export function takesWholeStates({ filter, olderThan }: BulkRepair): boolean {
  return olderThan === 0 && Object.keys(filter).every((name) => name === 'statuses');
}

type RepairedJob = FilteredJob & { readonly finishedOn?: number };

/** The fields of a job that the filter examines. */
export function repairedFields({
  filter,
  olderThan,
}: BulkRepair): readonly (FilteredField | 'finishedOn')[] {
  const fields = filteredFields(filter);
  return olderThan === 0 ? fields : [...new Set([...fields, 'timestamp', 'finishedOn'] as const)];
}

/** Whether the repair applies to the job. @param now epoch ms. */
export function isRepaired(
  { filter, states, olderThan }: BulkRepair,
  job: RepairedJob,
  now: number,
): boolean {
  const { state, timestamp = 0, finishedOn = timestamp } = job;
  if (!states.includes(state) || !matchesFilter(filter, job)) return false;
  return olderThan === 0 || finishedOn <= now - olderThan;
}
