import type { SummaryAnswer } from '../layout/queue-summary.ts';
import type { Holder } from '../../../../domain/queues/hold.ts';
import type { JobState } from '../../../../domain/jobs/job-status.ts';
import type { TOO_LARGE } from '../lua/answers.ts';
import { list, maybe, tuple, word } from './answer-check.ts';
import { key, number, text, scriptsOf } from './script.ts';

const { ofQueue, ofQueues, script } = scriptsOf('reading');

type OpenBreaker = readonly [since: number, until: number, reason: string];
export const readBreaker = ofQueue('read-breaker', {}, maybe(tuple<OpenBreaker>));

type Held = readonly [job: string, ttl: number];
export const readDeduplication = script('read-deduplication', ['holder'], {}, maybe(tuple<Held>));

/** 0 stands for a missing number or time, -1 for a missing claim. */
export type StandingAnswer = readonly [
  running: number,
  concurrency: number,
  latestStart: number,
  limitedFor: number,
  nextDue: number,
  claimedAgo: number,
  openSince: number,
  openUntil: number,
  openReason: string,
  areGroupsBlocked: number,
];
export const readStandings = ofQueues('read-standings', {}, list<StandingAnswer>);

type Demand = readonly [lines: string, roomForGroups: number];
export const readDemand = ofQueues(
  'read-demand',
  { timestamp: number, most: number },
  tuple<Demand>,
);

/** The answer for one scheduler of the script that reads them; null when it does not exist. */
export type SchedulerAnswer =
  | readonly [
      id: string,
      slot: string,
      fields: readonly string[],
      /** The options of the next job; null if it has started or no longer exists. */
      planned: string | null,
      last: JobAnswer,
      runByHand: JobAnswer,
    ]
  | null;

/** Null without a job; the state is null once the job is gone. */
type JobAnswer = readonly [jobId: string, state: string | null] | null;
export const readSchedulers = ofQueue('read-schedulers', {}, list<SchedulerAnswer>);

/** The position of a queue, and of each of its schedulers the id, the slot, whether it is paused, and its late start. */
export type Slots = readonly [position: number, slots: readonly (string | number)[]];
export const readSlots = ofQueues('read-slots', {}, list<Slots>);

type Names = readonly [names: string, last: string | null];
export const listQueues = ofQueues('list-queues', { from: text, most: number }, tuple<Names>);

export type GlanceAnswer =
  | readonly [isPaused: number, summary: SummaryAnswer, suspended: number, pause: string]
  | readonly [
      isPaused: number,
      summary: SummaryAnswer,
      suspended: number,
      pause: string,
      since: number,
      until: number,
      by: Holder,
      stop: string,
    ]
  | null;
export const readQueues = ofQueues('read-queues', {}, list<GlanceAnswer>);

type Memory = readonly [used: number, limit: number];
export const checkHealth = script('check-health', ['absent']);
export const readMemory = script('read-memory', ['absent'], {}, maybe(tuple<Memory>));
export const readServer = script('read-server', ['registry', 'heldBack'], {}, word<string>);
export const readVersions = ofQueues('read-versions', {}, list<string>);
export const readDataId = script('read-data-id', ['dataId'], { id: text }, word<string>);
export const readReplicas = script(
  'read-replicas',
  ['replicas'],
  { seenFor: number },
  list<string>,
);

const REPORT = { instance: text, clock: number, report: text, keptFor: number };
export const reportReplica = script('report-replica', ['replicas'], REPORT);

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
export const listJobs = ofQueue('list-jobs', SLICE, tuple<Slice>);
export const readJobs = ofQueue('read-jobs', { count: number, longest: number }, list<Row>);

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

/** The members of a set, and the first of the jobs where fields are read. */
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
const LIST = { behind: number, from: text, to: text, known: number, seen: number };
export const scanList = ofQueue('scan-list', { list: key, ...LIST }, tuple<Listed>);
