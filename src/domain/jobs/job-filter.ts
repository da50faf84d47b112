import { NO_GROUP } from '../groups/group-id.ts';
import type { Json } from '../values/json.ts';
import {
  bounded,
  integer,
  listOf,
  object,
  oneOf,
  optional,
  string,
  type Shape,
  type Shaped,
  time,
} from '../values/shape.ts';
import { dataMatches, type DataMatch } from './data-match.ts';
import { failureCause, statusOfFailure } from './failure-cause.ts';
import { JOB_STATES, type JobState } from './job-status.ts';

/** Maximum number of ids in a filter. */
const MOST_IDS = 1000;

/** Most characters of a text that jobs are compared with. */
const MOST_CHARACTERS = 4096;

const compared = bounded(MOST_CHARACTERS, string);

/** The criteria that a search and a bulk repair share. */
export const jobFilterFields = {
  statuses: optional(bounded(JOB_STATES.length, listOf(oneOf(...JOB_STATES))), 'Where the job is'),
  name: optional(compared, 'The name of the job'),
  group: optional(compared, 'The group of the job; empty for those without one'),
  reason: optional(compared, 'A part of the reason of its failure'),
  status: optional(integer(100, 599), 'The status of the last answer'),
  from: optional(time, 'When it was added at the earliest, in milliseconds since 1970'),
  to: optional(time, 'When it was added at the latest, in milliseconds since 1970'),
};

const ids: Shape<readonly string[]> = {
  must: `be an array of at most ${MOST_IDS} strings`,
  accepts: (value): value is readonly string[] =>
    Array.isArray(value) && value.length <= MOST_IDS && value.every((id) => compared.accepts(id)),
  schema: { type: 'array', maxItems: MOST_IDS, items: compared.schema },
};

export const jobFilterShape = object('JobFilter', {
  ids: optional(ids, 'The ids of the jobs, at most 1000'),
  cause: optional(compared, 'The cause of its failure, as the failures of the queue list it'),
  ...jobFilterFields,
});

/** The criteria that a job must match. Absent criteria match every job, and an empty group those without one. */
export type JobFilter = Shaped<typeof jobFilterShape> & { readonly data?: DataMatch };

/** The fields that a filter examines. A field that the job lacks, or that was not read, is absent. */
export interface FilteredJob {
  readonly id: string;
  readonly state: JobState;
  readonly name?: string;
  /** The id of its group. */
  readonly group?: string;
  readonly data?: Json;
  readonly failedReason?: string;
  /** The status of the last answer, from the record of the last attempt. */
  readonly answerStatus?: number;
  /** Epoch ms. */
  readonly timestamp?: number;
}

export type FilteredField = Exclude<keyof FilteredJob, 'id' | 'state'>;

/** The fields of a job that the filter examines. */
export function filteredFields(filter: JobFilter): readonly FilteredField[] {
  const fields = new Set<FilteredField>();
  if (filter.name !== undefined) fields.add('name');
  if (filter.group !== undefined) fields.add('group');
  if (filter.data !== undefined) fields.add('data');
  if ([filter.cause, filter.reason, filter.status].some((value) => value !== undefined)) {
    fields.add('failedReason');
  }
  if (filter.status !== undefined) fields.add('answerStatus');
  if (filter.from !== undefined || filter.to !== undefined) fields.add('timestamp');
  return [...fields];
}

/** Whether a job matches, for searches and bulk repairs alike. */
export function matchesFilter(filter: JobFilter, job: FilteredJob): boolean {
  const { ids, statuses, name, group, from, to, data } = filter;
  if (ids !== undefined && !ids.includes(job.id)) return false;
  if (statuses !== undefined && !statuses.includes(job.state)) return false;
  if (name !== undefined && job.name !== name) return false;
  if (group !== undefined && (job.group ?? NO_GROUP) !== group) return false;
  if (from !== undefined && !(job.timestamp !== undefined && job.timestamp >= from)) return false;
  if (to !== undefined && !(job.timestamp !== undefined && job.timestamp <= to)) return false;
  if (data !== undefined && !dataMatches(data, job.data)) return false;
  if (filter.status !== undefined && statusOfFailure(job) !== filter.status) return false;
  return matchesReason(filter, job.failedReason);
}

function matchesReason({ cause, reason }: JobFilter, given: string | undefined): boolean {
  if (cause === undefined && reason === undefined) return true;
  if (given === undefined) return false;
  if (reason !== undefined && !given.includes(reason)) return false;
  return cause === undefined || failureCause(given) === cause;
}
