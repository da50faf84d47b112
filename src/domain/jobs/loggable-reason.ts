import type { Endpoint } from '../calls/endpoint.ts';
import type { Job } from './job.ts';
import { isObject, type Json } from '../values/json.ts';

/** What the call of a job contained, which must not appear in the log. */
export interface CalledWith {
  /** Absent where no endpoint was called. */
  readonly endpoint?: Endpoint;
  readonly job: Job;
  readonly token: string;
}

/** Longest reason in a log line, in characters. */
const LONGEST_REASON = 200;

/** So many letters and digits in a row that the request has too are a repetition of it. */
const TELLING = 8;

/** A whole value of the request is one even if it is this short; shorter ones are part of any text. */
const SHORTEST_VALUE = 4;

/** Largest request that is searched, in characters: of a larger one no answer is repeated at all. */
const SEARCHED = 65_536;

/** Headers with values that are no secrets, but words that any answer may use. */
const PLAIN_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'user-agent']);

/** A name of a field as programmers give it; any other may be data, as the keys of a map are. */
const FIELD_NAME = /^[A-Za-z_$-]{1,40}$/;

/**
 * The reason of a failure as it may stand in the log. Endpoints like to repeat in their answers what they
 * were sent: tokens, header values and data of the job. An answer that has any of it, however it is
 * quoted or escaped, gives way to its status. A reason without a status is in our own words.
 */
export function loggableReason(
  reason: string,
  status: number | undefined,
  request: CalledWith,
): string {
  if (status !== undefined && repeats(reason, request)) return `HTTP ${status}`;
  return brief(reason);
}

/** The reason of a failure in the words of a client, as it may stand in the log. */
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
  for (let at = 0; at + TELLING <= text.length; at += 1) runs.add(text.slice(at, at + TELLING));
  let searched = 0;
  for (const value of valuesOf(request)) {
    searched += value.length;
    if (searched > SEARCHED) return true;
    const known = plain(value);
    if (known.length >= SHORTEST_VALUE && known.length < TELLING && text.includes(known))
      return true;
    for (let at = 0; at + TELLING <= known.length; at += 1) {
      if (runs.has(known.slice(at, at + TELLING))) return true;
    }
  }
  return false;
}

/** What only the body of this job's call has. */
function bodyMarks({ id }: Job): readonly string[] {
  return ['queuequalifiedname', 'attemptsstarted', `jobid${plain(id)}name`];
}

/** Letters and digits alone: quotes, escapes and the space between make no difference. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function* valuesOf({ endpoint, job, token }: CalledWith): Generator<string> {
  yield token;
  if (endpoint !== undefined) yield* tellingPartsOf(endpoint);
  if (job.name.length >= TELLING) yield job.name;
  yield* tellingParts(job.data);
}

function* tellingPartsOf({ url, headers = {} }: Endpoint): Generator<string> {
  const { pathname, search } = new URL(url);
  if (pathname.length + search.length > TELLING) yield pathname + search;
  for (const [name, value] of Object.entries(headers)) {
    if (!PLAIN_HEADERS.has(name.toLowerCase())) yield value;
  }
}

/** The texts and numbers in a value, and the names in it that may be data. */
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
