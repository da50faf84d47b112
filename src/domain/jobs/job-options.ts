import { backoffDelayShape, backoffInputShape, backoffShape, normalBackoff } from './backoff.ts';
import { callbackShape } from './callback.ts';
import { callTimeoutShape } from '../calls/call-timeout.ts';
import { destinationShape } from '../calls/destination.ts';
import { jobGroupShape } from '../groups/job-group.ts';
import { deduplicationShape } from './deduplication.ts';
import { customJobId } from './job-id.ts';
import { jobRetentionShape } from './job-retention.ts';
import { startCostShape, USUAL_COST } from '../queues/start-cost.ts';
import {
  boolean,
  either,
  integer,
  object,
  optional,
  type Field,
  type Fields,
  type Members,
  type Shaped,
} from '../values/shape.ts';

export const HIGHEST_PRIORITY_NUMBER = 2_097_152;

/** How many log lines a job keeps, the latest ones, so that an endpoint cannot grow it without bound. */
export const KEPT_LOG_LINES = 1000;

/** Where an option may be set, apart from a job. */
interface OptionFlags {
  /** In the options for a scheduler's jobs, whose start and id are determined by their slots. */
  readonly inSchedulers?: true;
  /** In the defaults of a policy. */
  readonly inPolicies?: true;
}

const inSchedulers = <Value>(...given: Parameters<typeof optional<Value>>) =>
  ({ ...optional(...given), inSchedulers: true }) as const;

const everywhere = <Value>(...given: Parameters<typeof optional<Value>>) =>
  ({ ...inSchedulers(...given), inPolicies: true }) as const;

/**
 * The options that a client may set, by name. Add new options only here: the types, the options of schedulers, the
 * defaults of policies and the response schemas are derived from these fields.
 */
export const jobOptionFields = {
  attempts: everywhere(
    integer(0),
    'How often the job is tried in all; 0 means once, as 1 does',
    'How often the job is tried in all; 0 means once',
  ),
  backoff: everywhere(
    either('number', backoffDelayShape, backoffInputShape),
    'The wait before another attempt; a number is that many milliseconds each time',
    'The wait before another attempt',
  ),
  delay: optional(integer(0), 'Milliseconds before the job may start'),
  priority: inSchedulers(
    integer(0, HIGHEST_PRIORITY_NUMBER),
    'The lowest number goes first, after all jobs without a priority; 0 means none',
    'The lowest number goes first, after all jobs without a priority',
  ),
  lifo: inSchedulers(
    boolean,
    'Whether the job goes before those that wait already',
    'Whether the job went before those that waited already',
  ),
  jobId: optional(
    customJobId,
    'An id of your own; a job whose id exists already is not added',
    'The id that its producer gave it',
  ),
  removeOnComplete: everywhere(
    jobRetentionShape,
    'Which completed jobs stay when it completes: all (false), all but itself (true), or so many',
    'Which completed jobs stay when it completes',
  ),
  removeOnFail: everywhere(
    jobRetentionShape,
    'Which failed jobs stay when it fails: all (false), all but itself (true), or so many',
    'Which failed jobs stay when it fails',
  ),
  keepLogs: everywhere(
    integer(1),
    `How many lines its log keeps; ${KEPT_LOG_LINES} unless given`,
    'How many lines its log keeps',
  ),
  timeout: everywhere(
    callTimeoutShape,
    'Longest duration of a call for it, in milliseconds, where its endpoint does not allow less',
    'Longest duration of a call for it, in milliseconds',
  ),
  ttl: {
    ...optional(
      integer(1),
      'Milliseconds since it was added in which its first attempt must start, or else it fails',
      'Milliseconds since it was added in which its first attempt had to start',
    ),
    inPolicies: true,
  },
  retryFor: inSchedulers(
    integer(0),
    'Milliseconds since it was added after which no further attempt starts; the last reason stands then',
    'Milliseconds since it was added after which no further attempt starts',
  ),
  maxCalls: everywhere(
    integer(1, 10_000),
    'How often it may be suspended; 1000 times unless given',
    'How often it may be suspended',
  ),
  cost: everywhere(
    startCostShape,
    `What its start counts in limiters; ${USUAL_COST} unless given`,
    'The amount that its start counts in limiters',
  ),
  group: inSchedulers(
    jobGroupShape,
    'The group in whose turns the job starts; all jobs without one are a group of their own',
    'The group in whose turns the job starts',
  ),
  callback: everywhere(callbackShape, 'A call or a job that follows when the job ends for good'),
  endpoint: inSchedulers(
    destinationShape,
    'Where this job is called, in place of the endpoint of its worker',
    'Where this job is called, in place of the endpoint of its worker; values of headers are not shown',
  ),
  deduplication: optional(
    deduplicationShape,
    'Keeps the job from being added while another one stands for the same id',
    'Kept it from being added while another one stood for the same id',
  ),
} as const satisfies Readonly<Record<string, Field & OptionFlags>>;

type JobOptionFields = typeof jobOptionFields;

type FlaggedFields<Flag extends keyof OptionFlags> = {
  readonly [
    Name in keyof JobOptionFields as JobOptionFields[Name] extends Readonly<Record<Flag, true>>
      ? Name
      : never
  ]: JobOptionFields[Name];
};

/** The options that have the flag, in order. */
export function optionsFlagged<Flag extends keyof OptionFlags>(flag: Flag): FlaggedFields<Flag> {
  const fields = Object.entries(jobOptionFields).filter(([, field]) => flag in field);
  return Object.fromEntries(fields) as unknown as FlaggedFields<Flag>;
}

/** Options as a client may send them (specification, "JobOpts"). */
export const jobOptionsShape = object('JobOptions', jobOptionFields);

export type JobOptionsInput = Shaped<typeof jobOptionsShape>;

/** The options of a stored job: defaults applied, and the backoff always in object form. */
export const storedOptionFields = {
  ...jobOptionFields,
  attempts: { ...jobOptionFields.attempts, isRequired: true },
  delay: { ...jobOptionFields.delay, isRequired: true },
  backoff: { ...jobOptionFields.backoff, shape: backoffShape },
} as const satisfies Fields;

/**
 * Options of a stored job, defaults applied. Other producers of the same queue may have stored options that this
 * service does not know: these are kept and returned unchanged.
 */
export interface JobOptions extends Members<typeof storedOptionFields> {
  readonly [other: string]: unknown;
}

/** Applies the defaults of the specification to validated options: `attempts` and `delay` default to 0. */
export function jobOptions({ backoff, ...plain }: JobOptionsInput): JobOptions {
  const options = { ...plain, attempts: plain.attempts ?? 0, delay: plain.delay ?? 0 };
  return backoff === undefined ? options : { ...options, backoff: normalBackoff(backoff) };
}
