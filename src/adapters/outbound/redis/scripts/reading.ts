import type { JobState } from '../../../../domain/jobs/job-status.ts';
import type { JobSummaryAnswer } from '../layout/job-summary.ts';
import type { SummaryAnswer } from '../layout/queue-summary.ts';
import type { TOO_LARGE } from '../lua/answers.ts';
import { list, maybe, tuple } from './answer-check.ts';
import { key, number, ofQueue, script, text } from './script.ts';

export type Hash = readonly string[];

/** Of all states their counts, the ids of a page, and the first of its jobs. */
type Slice<Job> = readonly [
  counts: readonly number[],
  ids: readonly string[],
  jobs: readonly Job[],
];
const SLICE = { start: text, length: text };
export const listJobs = ofQueue('list-jobs', SLICE, tuple<Slice<Hash>>);
export const listSummaries = ofQueue('list-summaries', SLICE, tuple<Slice<JobSummaryAnswer>>);
export const readSummaries = ofQueue('read-summaries', {}, list<JobSummaryAnswer>);
export const readJobs = ofQueue('read-jobs', {}, list<Hash>);

/** The state of a job and its hash, 1 when the hash must be read separately, or nothing when there is no job. */
export type ReadAnswer = readonly [state: JobState, hash: Hash | 1] | null;
export const readEach = ofQueue('read-each', {}, list<ReadAnswer>);

/** What is read of a job: how often it was started, when it was added, and the requested fields. */
export type Values = readonly (string | null)[];

/** What a script returns for a job. */
export type Row = Values | typeof TOO_LARGE | null;

type Found = readonly [JobState, Row] | null;
export const lookUpJobs = ofQueue('look-up-jobs', { count: number }, list<Found>);

type Recorded = readonly [attempts: string, group: string, options: string];
export const readRecorded = script('read-attempts', ['job'], {}, maybe(tuple<Recorded>));

type Lines = readonly [count: number, size: number, lines?: readonly string[]];
export const readLogs = script(
  'read-logs',
  ['job', 'logs'],
  { first: text, last: text },
  maybe(tuple<Lines>),
);
export const summarizeQueue = ofQueue('summarize-queue', {}, tuple<SummaryAnswer>);

/** The members of a set, and the rows of the first jobs where fields are read. */
type Members = readonly [members: readonly string[], rows?: readonly Row[]];
export const scanGroups = ofQueue(
  'scan-groups',
  { set: key, most: number, after: text },
  tuple<Members>,
);
export const scanSet = ofQueue(
  'scan-set',
  { set: key, most: number, score: number, id: text },
  tuple<Members>,
);

/** A job and how often it was started. */
export type KnownJob = readonly [id: string, starts: string];

type Listed =
  | readonly [length: number]
  | readonly [length: number, place: number, rows: readonly Row[], listed: readonly KnownJob[]];
const LIST = { most: number, behind: number, from: text, to: text, known: number, seen: number };
export const scanList = ofQueue('scan-list', { list: key, ...LIST }, tuple<Listed>);
