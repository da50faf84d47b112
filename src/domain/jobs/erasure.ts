import { queuesShape } from '../access/queue-patterns.ts';
import { invalidRequest } from '../errors.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { queueReferenceShape } from '../queues/queue-reference.ts';
import { checkShape } from '../values/check-shape.ts';
import { isObject, parsedJson, type Json } from '../values/json.ts';
import {
  anyText,
  boolean,
  bounded,
  integer,
  listOf,
  mapOf,
  nonEmpty,
  object,
  oneOf,
  optional,
  required,
  string,
  type Shape,
  type Shaped,
} from '../values/shape.ts';
import { hasLength } from '../values/text.ts';
import { valueAt } from '../values/value-at.ts';
import type { FilteredJob } from './job-filter.ts';
import { JOB_STATES, type JobState } from './job-status.ts';

/*
 * Erasing what the store has of one person, or of some jobs (reach contract, section 20).
 */

const MOST_FIELDS = 10;
const MOST_IDS = 1000;
const LONGEST_PATH = 256;
const LONGEST_VALUE = 4096;
const DEFAULT_LIMIT = 1000;

export type Scalar = string | number | boolean | null;

const scalar: Shape<Scalar> = {
  must: `be a string of up to ${LONGEST_VALUE} characters, a number, a boolean or null`,
  accepts: (value): value is Scalar =>
    typeof value === 'string'
      ? value.length <= LONGEST_VALUE
      : typeof value === 'boolean' || value === null || Number.isFinite(value),
  schema: { type: ['string', 'number', 'boolean', 'null'], maxLength: LONGEST_VALUE },
};

const dataShape = bounded(
  MOST_FIELDS,
  mapOf(
    anyText(
      `be a path of 1 to ${LONGEST_PATH} characters, such as customer.id`,
      (path) => hasLength(path, 1, LONGEST_PATH) && path !== '__proto__',
      { minLength: 1, maxLength: LONGEST_PATH, examples: ['customer.id'] },
    ),
    scalar,
    'be an object of paths to values',
  ),
);

const erasureFilterShape = object('ErasureFilter', {
  data: optional(dataShape, 'Values that the data of a job has, by their paths: all are to match'),
  ids: optional(
    bounded(
      MOST_IDS,
      nonEmpty(listOf(bounded(LONGEST_VALUE, string)), 'be an array, not empty, of ids'),
    ),
    'The ids of jobs of the queue',
  ),
  group: optional(bounded(LONGEST_VALUE, string), 'The group of jobs of the queue'),
  queue: optional(queueReferenceShape, 'The queue of the ids or of the group'),
});

const MODES = ['remove', 'redact'] as const;

export type ErasureMode = (typeof MODES)[number];

export const erasureShape = object('ErasureOrder', {
  filter: required(erasureFilterShape, 'The jobs to erase: by `data`, by `ids` or by `group`'),
  queues: optional(queuesShape, 'Where to look: all queues that the token may use unless given'),
  mode: optional(
    oneOf(...MODES),
    'Whether jobs are removed, or only their values; removed unless given',
  ),
  states: optional(
    bounded(JOB_STATES.length, nonEmpty(listOf(oneOf(...JOB_STATES)), 'be an array, not empty')),
    'The states of the jobs; all unless given',
  ),
  limit: optional(integer(1, 10_000), 'Most jobs to erase; 1000 unless given'),
  dryRun: optional(boolean, 'Whether jobs are only counted'),
});

export type ErasureInput = Shaped<typeof erasureShape>;

/** A value that the data of a job must have, and the keys that lead to it; numbers are array indexes. */
export interface DataField {
  readonly path: readonly string[];
  readonly value: Scalar;
}

export type ErasureFilter =
  | { readonly kind: 'data'; readonly fields: readonly DataField[] }
  | { readonly kind: 'ids'; readonly queue: QueueName; readonly ids: ReadonlySet<string> }
  | { readonly kind: 'group'; readonly queue: QueueName; readonly group: string };

/** An erasure that passed every rule. */
export interface Erasure {
  readonly filter: ErasureFilter;
  readonly mode: ErasureMode;
  /** Which jobs to look at. Those that are active are only counted. */
  readonly states: readonly JobState[];
  readonly isOfAllStates: boolean;
  readonly limit: number;
  readonly isDryRun: boolean;
}

const ENDED: readonly JobState[] = ['completed', 'failed'];

/** @throws DomainError `invalid-request` naming the field. */
export function erasure(input: ErasureInput): Erasure {
  checkShape(erasureShape, input, '');
  const { mode = 'remove', states = JOB_STATES, limit = DEFAULT_LIMIT, dryRun = false } = input;
  const filter = erasureFilter(input.filter);
  if (filter.kind !== 'data' && input.queues !== undefined) {
    throw invalidRequest('queues must not be given with filter.queue', 'queues');
  }
  const looked = states.filter(
    (state) => mode === 'remove' || state === 'active' || ENDED.includes(state),
  );
  const isOfAllStates = JOB_STATES.every((state) => states.includes(state));
  return { filter, mode, states: looked, isOfAllStates, limit, isDryRun: dryRun };
}

function erasureFilter({ data, ids, group, queue }: ErasureInput['filter']): ErasureFilter {
  const given = [data, ids, group].filter((each) => each !== undefined);
  if (given.length !== 1) {
    throw invalidRequest('filter must have one of data, ids and group', 'filter');
  }
  if (data !== undefined) {
    if (queue !== undefined) {
      throw invalidRequest('filter.queue must not be given with filter.data', 'filter.queue');
    }
    const fields = Object.entries(data).map(([path, value]) => ({ path: path.split('.'), value }));
    if (fields.length === 0) throw invalidRequest('filter.data must not be empty', 'filter.data');
    return { kind: 'data', fields };
  }
  if (queue === undefined) throw invalidRequest('filter.queue is required', 'filter.queue');
  const of = queue as QueueName;
  return ids === undefined
    ? { kind: 'group', queue: of, group: group ?? '' }
    : { kind: 'ids', queue: of, ids: new Set(ids) };
}

/** A job, with what filters examine. */
export type ErasableJob = Pick<FilteredJob, 'id' | 'group' | 'data'>;

export function isErased(filter: ErasureFilter, { id, group, data }: ErasableJob): boolean {
  switch (filter.kind) {
    case 'data':
      return hasAll(filter.fields, data);
    case 'ids':
      return filter.ids.has(id);
    case 'group':
      return group === filter.group;
  }
}

/**
 * Whether the data have all of the values, by value and type. The body of a message is a text, in which they are looked
 * for too where it is JSON, by its own paths and by those that begin with `body`.
 */
export function hasAll(fields: readonly DataField[], data: Json | undefined): boolean {
  const message = jsonBodyOf(data);
  return fields.every(
    ({ path, value }) =>
      valueAt(path, data) === value ||
      (message !== undefined &&
        (valueAt(path, message.body) === value || valueAt(path, message) === value)),
  );
}

/** The body of a message as JSON, in its place; undefined where it is none. */
function jsonBodyOf(data: Json | undefined): { readonly body: Json } | undefined {
  const body = isObject(data) ? data['body'] : undefined;
  const json = typeof body === 'string' ? parsedJson(body) : undefined;
  return json === undefined ? undefined : { body: json };
}
