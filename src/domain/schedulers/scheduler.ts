import { invalidRequest, requestTooLarge, type DomainError } from '../errors.ts';
import { shownOptions } from '../jobs/shown-options.ts';
import { jobOptions, optionsFlagged, type JobOptions } from '../jobs/job-options.ts';
import { JOB_STATES } from '../jobs/job-status.ts';
import { jobInputFields } from '../jobs/job.ts';
import type { PolicyDefaults } from '../policies/policy.ts';
import { checkShape } from '../values/check-shape.ts';
import { jsonText, type Json } from '../values/json.ts';
import { sameJson } from '../values/same-json.ts';
import {
  anyJson,
  boolean,
  bounded,
  integer,
  object,
  oneOf,
  optional,
  required,
  text,
  type Shaped,
  time,
  nullable,
  type Members,
  string,
} from '../values/shape.ts';
import { fitsInBytes, hasLength, isPrintable } from '../values/text.ts';
import { without } from '../values/without.ts';
import type { SkippedSlot } from './slot.ts';

const MAX_LENGTH = 255;

/** Maximum number of schedulers of one queue. */
export const MAX_SCHEDULERS = 10_000;

/** Maximum size of a scheduler's job data, as JSON text in bytes of UTF-8, and of the job name. */
export const MAX_TEMPLATE_SIZE = 65_536;

/** Maximum number of schedulers per page, since their next slots have to be computed. */
export const MAX_LISTED_SCHEDULERS = 100;

/** The sort keys of schedulers across queues. */
export const SCHEDULER_SORTS = ['next', 'queue'] as const;

export type SchedulerSort = (typeof SCHEDULER_SORTS)[number];

/** Without it, the time zone of each process would decide, which may differ between replicas. */
const DEFAULT_ZONE = 'UTC';

/** With a colon, the record of a scheduler could collide with that of another scheduler's job. */
const schedulerId = text(
  `be a string of 1 to ${MAX_LENGTH} characters without ":" and control characters`,
  (id) => hasLength(id, 1, MAX_LENGTH) && isPrintable(id) && !id.includes(':'),
);

const FIELD = '[0-9A-GI-Za-gi-z*/,?#-]+';

/** The calendar validates the fields themselves; `H` is refused, since it means a different time on every replica. */
const cronPattern = text(
  'be a cron pattern of five fields, or of six of which the first are the seconds',
  (pattern) =>
    pattern.length <= MAX_LENGTH && new RegExp(`^${FIELD}(?: +${FIELD}){4,5}$`).test(pattern),
  { maxLength: MAX_LENGTH, examples: ['30 2 * * *'] },
);

/** The most characters of the name of a time zone. */
const MAX_ZONE = 100;

export const repeatShape = object('Repeat', {
  pattern: optional(cronPattern, 'When, as a cron pattern; either this or `every`'),
  every: optional(integer(1), 'Milliseconds from one job to the next; either this or `pattern`'),
  tz: optional(
    bounded(
      MAX_ZONE,
      text('be a string', () => true),
    ),
    'The time zone of the pattern, such as Europe/Berlin; UTC unless given',
  ),
  limit: optional(integer(1), 'How many jobs it makes'),
  startDate: optional(time, 'It makes no job before, in milliseconds since 1970'),
  endDate: optional(time, 'It makes no job after, in milliseconds since 1970'),
  immediately: optional(boolean, 'Whether the first job of a pattern is made at once'),
});

export type Repeat = Shaped<typeof repeatShape>;

const schedulerJobOptionFields = optionsFlagged('inSchedulers');

const schedulerJobShape = object('SchedulerJob', {
  name: jobInputFields.name,
  data: required(anyJson, 'Anything, for the endpoint; null too'),
  opts: optional(
    object('SchedulerJobOptions', schedulerJobOptionFields),
    'How each job is processed',
  ),
});

/** What a slot does while the previous job has not ended: it makes a job anyway, or none. */
export const OVERLAPS = ['allow', 'skip'] as const;

export type Overlap = (typeof OVERLAPS)[number];

/** A scheduler as a client requests it. */
export const schedulerInputShape = object('Scheduler', {
  repeat: required(repeatShape, 'When it makes jobs'),
  job: required(schedulerJobShape, 'The job that each run adds'),
  overlap: optional(
    oneOf(...OVERLAPS),
    'Whether a slot that comes while the job before it has not ended makes a job all the same, or none',
  ),
  paused: optional(boolean, 'Whether it makes no jobs until it is resumed'),
});

export type SchedulerInput = Shaped<typeof schedulerInputShape>;

/** The template of the jobs of a scheduler. */
export interface SchedulerTemplate {
  readonly name: string;
  readonly data: Json;
  /** Defaults applied. Other programs may have stored options that this service does not know. */
  readonly opts: Omit<JobOptions, 'delay'>;
}

/** The token that answers for the jobs of a scheduler, and how many it may add: limits of tokens on jobs count them. */
export interface SchedulerSource {
  /** The ids of the token that stored it and of the tokens that made that one. */
  readonly tokens: readonly string[];
  /** The shortest time (ms) between two of its slots. */
  readonly gap: number;
}

/** A scheduler that passed every rule except those of the calendar. */
export interface NewScheduler extends Required<Omit<SchedulerInput, 'job'>> {
  readonly job: SchedulerTemplate;
  /** Absent when another program stored it. */
  readonly source?: SchedulerSource | undefined;
}

/** The last job that a scheduler made. */
export const lastScheduledFields = {
  at: required(time, 'The slot that it was made for, in milliseconds since 1970'),
  jobId: required(string, 'Its id'),
  state: required(nullable(oneOf(...JOB_STATES)), 'Where it is; null once it is gone'),
};

export type LastScheduled = Members<typeof lastScheduledFields>;

/** The last job that a caller had a scheduler make, apart from its slots. */
export const runByHandShape = object('RunByHand', {
  ...lastScheduledFields,
  at: required(time, 'When it was made, in milliseconds since 1970'),
});

export type RunByHand = Shaped<typeof runByHandShape>;

/** A scheduler as it is stored. */
export interface StoredScheduler extends NewScheduler {
  readonly id: string;
  /**
   * The slot of the next job and the number of that job; absent when no further job follows. While the scheduler is
   * paused, that job does not exist.
   */
  readonly planned?: { readonly slot: number; readonly count: number };
  readonly last?: LastScheduled;
  readonly lastRunByHand?: RunByHand;
  readonly skipped?: SkippedSlot;
}

/** A scheduler as the API returns it. */
export interface Scheduler extends Omit<NewScheduler, 'source'> {
  readonly id: string;
  /** The next slots, epoch ms: up to five, and none while it is paused. */
  readonly next: readonly number[];
  readonly last: LastScheduled | null;
  readonly lastRunByHand: RunByHand | null;
  readonly skipped?: SkippedSlot | undefined;
}

/**
 * @param defaults options for jobs that do not set them.
 * @param before the stored scheduler: its options, given again as it shows them, are complete, and no defaults that came
 * later join them.
 * @throws DomainError `invalid-request` or `request-too-large` naming the field.
 */
export function newScheduler(
  id: string,
  input: SchedulerInput,
  defaults: PolicyDefaults = {},
  before?: NewScheduler,
): NewScheduler {
  checkShape(schedulerId, id, 'The id of the scheduler');
  checkShape(schedulerInputShape, input, '');
  const { repeat, job } = input;
  if ((repeat.pattern === undefined) === (repeat.every === undefined)) {
    throw invalidRequest('repeat must have either pattern or every', 'repeat');
  }
  if (repeat.immediately === true && repeat.startDate !== undefined) {
    throw invalidRequest(
      'repeat.immediately must not be given with startDate',
      'repeat.immediately',
    );
  }
  checkTemplateSize('name', job.name);
  checkTemplateSize('data', jsonText(job.data));
  const isComplete = sameJson(shownOptions(job.opts), shownOptions(before?.job.opts ?? null));
  const joined = isComplete ? { ...job.opts } : { ...schedulerDefaults(defaults), ...job.opts };
  const opts = without(jobOptions(joined), 'delay');
  return {
    repeat: repeat.pattern === undefined ? repeat : { ...repeat, tz: repeat.tz ?? DEFAULT_ZONE },
    job: { name: job.name, data: job.data, opts },
    overlap: input.overlap ?? 'allow',
    paused: input.paused ?? false,
  };
}

/** The defaults, limited to options that the jobs of a scheduler may have. */
function schedulerDefaults(defaults: PolicyDefaults): PolicyDefaults {
  const entries = Object.entries(defaults).filter(([name]) =>
    Object.hasOwn(schedulerJobOptionFields, name),
  );
  return Object.fromEntries(entries);
}

export function templateTooLarge(field: 'name' | 'data'): DomainError {
  return requestTooLarge(`job.${field} must be of at most ${MAX_TEMPLATE_SIZE} bytes`);
}

function checkTemplateSize(field: 'name' | 'data', text: string): void {
  if (!fitsInBytes(text, MAX_TEMPLATE_SIZE)) throw templateTooLarge(field);
}
