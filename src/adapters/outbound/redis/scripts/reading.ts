import type { JobState } from '../../../../domain/jobs/job-status.ts';
import type { SummaryAnswer } from '../layout/queue-summary.ts';
import type { TOO_LARGE } from '../lua/answers.ts';
import { list, maybe, tuple } from './answer-check.ts';
import { key, number, ofQueue, script, text } from './script.ts';

/** The values of the named fields of a job; without names, all of its fields and values in turn. */
export type Values = readonly (string | number | null)[];

/**
 * What a script returns for a job; nothing where there is none. The state is null where the caller knows it. A job that
 * is too large to be read with others is the only one of its answer.
 */
export type Row = readonly [state: JobState | null, values: Values | typeof TOO_LARGE] | null;

/** Of all states their counts, the ids of a page, and the first of its jobs. */
type Slice = readonly [counts: readonly number[], ids: readonly string[], first: readonly Row[]];
const SLICE = { wanted: text, start: number, length: number, longest: number };
export const listJobs = ofQueue('reading/list-jobs', SLICE, tuple<Slice>);
export const readJobs = ofQueue('reading/read-jobs', { count: number, longest: number }, list<Row>);

type Recorded = readonly [attempts: string, group: string, options: string];
export const readRecorded = script('reading/read-attempts', ['job'], {}, maybe(tuple<Recorded>));

type Lines = readonly [count: number, size: number, lines?: readonly string[]];
export const readLogs = script(
  'reading/read-logs',
  ['job', 'logs'],
  { first: text, last: text },
  maybe(tuple<Lines>),
);
export const summarizeQueue = ofQueue('reading/summarize-queue', {}, tuple<SummaryAnswer>);

/** The members of a set, and the first of the jobs where fields are read. */
type Members = readonly [members: readonly string[], rows?: readonly Row[]];
export const scanGroups = ofQueue(
  'reading/scan-groups',
  { set: key, most: number, after: text },
  tuple<Members>,
);
export const scanSet = ofQueue(
  'reading/scan-set',
  { set: key, most: number, score: number, id: text },
  tuple<Members>,
);

/** A job and how often it was started. */
export type KnownJob = readonly [id: string, starts: string];

type Listed =
  | readonly [length: number]
  | readonly [length: number, place: number, rows: readonly Row[], listed: readonly KnownJob[]];
const LIST = { behind: number, from: text, to: text, known: number, seen: number };
export const scanList = ofQueue('reading/scan-list', { list: key, ...LIST }, tuple<Listed>);
