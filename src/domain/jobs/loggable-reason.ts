import type { Endpoint } from '../calls/endpoint.ts';
import type { Job } from './job.ts';
import { isObject, type Json } from '../values/json.ts';

/** The contents of a job's call, which must not appear in the log. */
export interface CalledWith {
  /** Absent when no endpoint was called. */
  readonly endpoint?: Endpoint;
  readonly job: Job;
  readonly token: string;
}

/** Longest reason in a log line, in characters. */
const LONGEST_REASON = 200;

/** A run of this many letters and digits that the request contains too counts as repeating the request. */
const REPEATED_RUN = 8;

/** A complete value of the request counts even if it is only this long; shorter ones occur in any text. */
const SHORTEST_VALUE = 4;

/** Largest request that is searched, in characters; for a larger one, no part of the answer is logged. */
const MAX_SEARCHED = 65_536;

/** Headers whose values are not secrets, but words that any answer may contain. */
const PLAIN_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'user-agent']);

/** A typical field name; any other name may be data, like the keys of a map. */
const FIELD_NAME = /^[A-Za-z_$-]{1,40}$/;

/**
 * The reason of a failure, in a form that may be logged. Answers of endpoints often repeat parts of the request:
 * tokens, header values and data of the job. An answer that contains any of these, however quoted or escaped, is
 * replaced by its status. A reason without a status is in our own words.
 */
export function loggableReason(
  reason: string,
  status: number | undefined,
  request: CalledWith,
): string {
  if (status !== undefined && repeats(reason, request)) return `HTTP ${status}`;
  return brief(reason);
}

/** The reason of a failure that a client reported, in a form that may be logged. */
export function loggableQuote(reason: string, request: CalledWith): string {
  return repeats(reason, request) ? 'Reported by its worker' : brief(reason);
}

function brief(reason: string): string {
  return reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON)}…` : reason;
}

function repeats(reason: string, request: CalledWith): boolean {
  const text = plain(reason);
  if (bodyMarks(request.job).some((mark) => text.includes(mark))) return true;
  const runs = new Set<string>();
  for (let at = 0; at + REPEATED_RUN <= text.length; at += 1)
    runs.add(text.slice(at, at + REPEATED_RUN));
  let searched = 0;
  for (const value of valuesOf(request)) {
    searched += value.length;
    if (searched > MAX_SEARCHED) return true;
    const known = plain(value);
    if (known.length >= SHORTEST_VALUE && known.length < REPEATED_RUN && text.includes(known))
      return true;
    for (let at = 0; at + REPEATED_RUN <= known.length; at += 1) {
      if (runs.has(known.slice(at, at + REPEATED_RUN))) return true;
    }
  }
  return false;
}

/** The content that only the body of this job's call has. */
function bodyMarks({ id }: Job): readonly string[] {
  return ['queuequalifiedname', 'attemptsstarted', `jobid${plain(id)}name`];
}

/** Letters and digits only, so that quotes, escapes and white space make no difference. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function* valuesOf({ endpoint, job, token }: CalledWith): Generator<string> {
  yield token;
  if (endpoint !== undefined) yield* tellingPartsOf(endpoint);
  if (job.name.length >= REPEATED_RUN) yield job.name;
  yield* tellingParts(job.data);
}

function* tellingPartsOf({ url, headers = {} }: Endpoint): Generator<string> {
  const { pathname, search } = new URL(url);
  if (pathname.length + search.length > REPEATED_RUN) yield pathname + search;
  for (const [name, value] of Object.entries(headers)) {
    if (!PLAIN_HEADERS.has(name.toLowerCase())) yield value;
  }
}

/** The texts and numbers in a value, and those of its names that may be data. */
function* tellingParts(value: Json): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'number') yield String(value);
  else if (Array.isArray(value)) for (const each of value) yield* tellingParts(each);
  else if (isObject(value)) {
    for (const [name, each] of Object.entries(value)) {
      if (!FIELD_NAME.test(name)) yield name;
      yield* tellingParts(each);
    }
  }
}
