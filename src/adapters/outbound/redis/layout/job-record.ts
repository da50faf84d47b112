import type { Backoff } from '../../../../domain/jobs/backoff.ts';
import { CALLED_BACK, readCalledBack } from './callback-fields.ts';
import type { JobOptions } from '../../../../domain/jobs/job-options.ts';
import type { Job, JobFacts } from '../../../../domain/jobs/job.ts';
import type { JobState } from '../../../../domain/jobs/job-status.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { isObject, type Json } from '../../../../domain/values/json.ts';
import { isDeeperThan } from './json-depth.ts';
import { REDACTED } from './redaction-keys.ts';

/** The fields of a job's hash in the store, as BullMQ writes them. */
export type JobRecord = ReadonlyMap<string, string>;

/** Options that BullMQ stores under a short name, with their public names. */
const STORED_OPTION_NAMES: ReadonlyMap<string, string> = new Map([
  ['de', 'deduplication'],
  ['fpof', 'failParentOnFailure'],
  ['cpof', 'continueParentOnFailure'],
  ['idof', 'ignoreDependencyOnFailure'],
  ['kl', 'keepLogs'],
  ['rdof', 'removeDependencyOnFailure'],
]);

const NAMES_IN_STORE: ReadonlyMap<string, string> = new Map(
  [...STORED_OPTION_NAMES].map(([stored, name]) => [name, stored]),
);

/** The field of a stored backoff that says how it grows, where BullMQ has no type for that. */
const GROWTH = 'jobgate:growth';

/**
 * Deeper values are shown as their text. The platform can read any depth, but fails to write some four thousand levels.
 */
const MAX_DEPTH = 2000;

export function jobRecord(fieldsAndValues: readonly string[]): JobRecord {
  const record = new Map<string, string>();
  for (let index = 0; index + 1 < fieldsAndValues.length; index += 2) {
    record.set(fieldsAndValues[index] as string, fieldsAndValues[index + 1] as string);
  }
  return record;
}

/** Every job has these two fields, and no other hash of a queue has both. */
export function isJobRecord(record: JobRecord): boolean {
  return record.has('name') && record.has('timestamp');
}

/**
 * Other producers write to the same queues, so nothing in a record is trusted to have the right form. The function
 * never throws, and its result can be written as JSON: a field that cannot be read counts as its raw text, or as
 * absent; options are shown as they are, regardless of their types.
 */
export function jobFromRecord(id: string, record: JobRecord, queue: QueueName): JobFacts;
export function jobFromRecord(
  id: string,
  record: JobRecord,
  queue: QueueName,
  state: JobState,
): Job;
export function jobFromRecord(
  id: string,
  record: JobRecord,
  queue: QueueName,
  state?: JobState,
): JobFacts {
  const failedReason = record.get('failedReason');
  const processedOn = storedNumber(record.get('processedOn'));
  const finishedOn = storedNumber(record.get('finishedOn'));
  const calledBack = readCalledBack(record.get(CALLED_BACK));
  const redactedOn = storedNumber(record.get(REDACTED));
  return {
    queue,
    id,
    name: record.get('name') ?? '',
    data: valueOf(record.get('data'), {}),
    opts: withPriority(addedOptions(record), record.get('priority')),
    progress: valueOf(record.get('progress'), 0),
    returnvalue: valueOf(record.get('returnvalue'), null),
    ...(failedReason !== undefined && { failedReason }),
    stacktrace: stacktrace(record.get('stacktrace')),
    attemptsStarted: count(record.get('ats')),
    attemptsMade: count(record.get('atm') ?? record.get('attemptsMade')),
    delay: count(record.get('delay')),
    timestamp: count(record.get('timestamp')),
    ...(processedOn !== undefined && { processedOn }),
    ...(finishedOn !== undefined && { finishedOn }),
    ...(calledBack !== undefined && { calledBack }),
    ...(redactedOn !== undefined && { redactedOn }),
    // Built in one piece here: copying a job would add half its cost again, and the copy would be slow to serialize.
    ...(state !== undefined && { state }),
  };
}

function valueOf(text: string | undefined, whenAbsent: Json): Json {
  return text === undefined ? whenAbsent : storedValue(text);
}

/** A value of a record, or its text if that cannot be parsed. */
export function storedValue(text: string): Json {
  try {
    const value = JSON.parse(text) as Json;
    return isDeeperThan(MAX_DEPTH, text) ? text : value;
  } catch {
    return text;
  }
}

/** Options of at most this many characters are kept for the next record. */
const SHORT_OPTIONS = 200;

/** Jobs of a queue mostly have the same options. Reading them anew for each took 6 % of the time of a page. */
let latest: { readonly text: string; readonly options: JobOptions } | undefined;

/** The options that a job was added with, ignoring a later change of the priority. */
export function addedOptions(record: JobRecord): JobOptions {
  const text = record.get('opts') ?? '{}';
  if (latest?.text === text) return latest.options;
  const options = optionsIn(text);
  if (text.length <= SHORT_OPTIONS) latest = { text, options };
  return options;
}

function optionsIn(text: string): JobOptions {
  const stored = storedValue(text);
  if (!isObject(stored)) return { attempts: 0, delay: 0 };
  const options = isWrittenOtherwise(stored) ? written(stored) : stored;
  return { attempts: 0, delay: 0, ...(options as Partial<JobOptions>) };
}

/** The library stores a changed priority beside the options, which keep the original one. */
function withPriority(opts: JobOptions, stored: string | undefined): JobOptions {
  const { priority = 0 } = opts;
  if (stored === undefined || typeof priority !== 'number' || stored === String(priority))
    return opts;
  const current = storedNumber(stored);
  return current === undefined ? opts : { ...opts, priority: current };
}

/** Whether BullMQ stores an option under another name or in another form. */
function isWrittenOtherwise(stored: object): boolean {
  for (const name in stored) {
    if (STORED_OPTION_NAMES.has(name) || name === 'backoff' || name === 'origin') return true;
  }
  return false;
}

function written(stored: object): object {
  const named = Object.entries(stored).map(([name, value]: [string, unknown]) => [
    STORED_OPTION_NAMES.get(name) ?? name,
    shownOption(name, value),
  ]);
  return Object.fromEntries(named) as object;
}

function shownOption(name: string, value: unknown): unknown {
  if (name === 'backoff') return shownBackoff(value);
  return name === 'origin' ? shownOrigin(value) : value;
}

/** A letter keeps the options of its original as they were stored. */
function shownOrigin(origin: unknown): unknown {
  const kept = isObject(origin) ? origin['opts'] : undefined;
  if (!isObject(origin) || !isObject(kept) || !isWrittenOtherwise(kept)) return origin;
  return { ...origin, opts: written(kept) };
}

/** The inverse of reading: options as BullMQ stores them. */
export function storedOptions(opts: Partial<JobOptions>): string {
  for (const name in opts) if (isStoredOtherwise(name)) return JSON.stringify(storedForm(opts));
  return JSON.stringify(opts);
}

function isStoredOtherwise(name: string): boolean {
  return name === 'backoff' || NAMES_IN_STORE.has(name);
}

function storedForm(opts: Partial<JobOptions>): object {
  const stored = Object.entries(opts).map(([name, value]: [string, unknown]) => [
    NAMES_IN_STORE.get(name) ?? name,
    name === 'backoff' ? storedBackoff(value as Backoff) : value,
  ]);
  return Object.fromEntries(stored) as object;
}

/**
 * A BullMQ worker that meets an unknown type of backoff never ends the attempt. So a linear backoff is stored as a
 * fixed one, which such a worker takes it for, with its growth beside it.
 */
function storedBackoff(backoff: Backoff): object {
  return backoff.type === 'linear' ? { ...backoff, type: 'fixed', [GROWTH]: 'linear' } : backoff;
}

function shownBackoff(backoff: unknown): unknown {
  if (typeof backoff === 'number') return { type: 'fixed', delay: backoff };
  if (!isObject(backoff) || backoff[GROWTH] !== 'linear') return backoff;
  const { [GROWTH]: type, ...rest } = backoff;
  return { ...rest, type };
}

function stacktrace(text: string | undefined): string[] | null {
  if (text === undefined) return null;
  const trace = storedValue(text);
  if (!Array.isArray(trace)) return trace === null ? null : [text];
  return trace.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry)));
}

function count(text: string | undefined): number {
  return storedNumber(text) ?? 0;
}

/** A number of a record; undefined for any other value. */
export function storedNumber(text: string | undefined): number | undefined {
  const value = text === undefined ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}
