import type {
  OrderedCall,
  OrderedCallback,
  OutgoingPush,
} from '../../../../application/pushes/outgoing-push.ts';
import { isOwnHeader } from '../../../../domain/calls/endpoint-headers.ts';
import { invalidRequest, type DomainError } from '../../../../domain/errors.ts';
import type { FlowControl } from '../../../../domain/messages/push.ts';
import { usualName } from '../../../../domain/messages/shown-headers.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { NotServedError } from '../wire/failure.ts';
import { contentOf } from './content.ts';
import { destinationNamed } from './destination.ts';

/** The headers of a request, or of an entry of a batch, by their names in lower case. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** A message as it stands in a request, or in an entry of a batch. */
export interface WrittenMessage {
  readonly headers: Headers;
  readonly destination: string;
  readonly body: Buffer;
  /** The address of the client. */
  readonly address: string;
}

const SECOND = 1000;
const UNITS: Readonly<Record<string, number>> = {
  s: SECOND,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const DEFAULT_RETRIES = 3;

/** The longest label, and the longest key of flow control. */
const MOST_CHARACTERS = 1000;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * A message as its client wrote it. Headers that QStash does not know are ignored, and an empty one says nothing.
 *
 * @throws DomainError `invalid-request`, or NotServedError.
 */
export function outgoing(written: WrittenMessage, queue: QueueName): OutgoingPush {
  const { headers, destination, body, address } = written;
  if (Object.keys(headers).some((name) => name.startsWith('upstash-workflow-'))) throw useSteps();
  const type = headers['content-type'];
  const typed = type === undefined ? {} : { 'content-type': type };
  return {
    to: destinationNamed(destination),
    queue,
    content: contentOf(body),
    call: callTerms(headers, 'upstash', typed, notBefore(headers)),
    callback: following(headers, 'upstash-callback'),
    failureCallback: following(headers, 'upstash-failure-callback'),
    deduplication: deduplicationOf(headers),
    flowControl: flowControlOf(headers),
    redact: redactionOf(headers),
    label: shortText(headers, 'upstash-label'),
    callerIp: address === '' ? undefined : address,
  };
}

/** The text of a header; undefined for an empty one. */
export function textOf(headers: Headers, name: string): string | undefined {
  const text = headers[name];
  return text === '' ? undefined : text;
}

/** The refusal of what belongs to workflows. */
export function useSteps(): NotServedError {
  return new NotServedError(
    'Use steps: workflows are not served here, and an endpoint can save and await steps without a library',
  );
}

/** A callback with a set of headers of its own. */
function following(headers: Headers, prefix: string): OrderedCallback | undefined {
  const url = textOf(headers, prefix);
  const type = { 'content-type': 'application/json' };
  return url === undefined ? undefined : { ...callTerms(headers, prefix, type), url };
}

function deduplicationOf(headers: Headers): OutgoingPush['deduplication'] {
  const id = headers['upstash-deduplication-id'];
  if (id !== undefined) return { id };
  const isByContent = headers['upstash-content-based-deduplication']?.toLowerCase() === 'true';
  return isByContent ? 'content' : undefined;
}

/** @param typed the type of the body, unless a header names it. @param due milliseconds until the call, by its own header. */
function callTerms(
  headers: Headers,
  prefix: string,
  typed: OrderedCall['headers'],
  due?: number,
): OrderedCall {
  const retries = headers[`${prefix}-retries`] ?? String(DEFAULT_RETRIES);
  if (!/^\d{1,9}$/.test(retries)) throw mistake(`${prefix}-retries`, 'be a whole number');
  const timeout = durationOf(headers, `${prefix}-timeout`);
  return {
    method: methodOf(headers, `${prefix}-method`),
    headers: { ...typed, ...forwarded(headers, `${prefix}-forward-`) },
    retries: Number(retries),
    retryDelay: textOf(headers, `${prefix}-retry-delay`),
    timeout: timeout === 0 ? undefined : timeout,
    delay: due ?? durationOf(headers, `${prefix}-delay`),
  };
}

function methodOf(headers: Headers, name: string): string | undefined {
  const method = headers[name]?.toUpperCase();
  if (method === undefined || METHODS.includes(method)) return method;
  throw mistake(name, `be one of ${METHODS.join(', ')}`);
}

/** In milliseconds; a number without a unit is one of seconds. */
function durationOf(headers: Headers, name: string): number | undefined {
  const text = headers[name]?.trim();
  if (text === undefined || text === '') return undefined;
  const duration = parsedDuration(text);
  if (duration === undefined) throw mistake(name, 'be a duration such as 50s, 3m, 10h or 1d');
  return duration;
}

function parsedDuration(text: string): number | undefined {
  if (text.length > 30 || !/^(\d+|(\d+[smhd])+)$/.test(text)) return undefined;
  const parts = Array.from(text.matchAll(/(\d+)(\D?)/g), ([, count, unit = '']) => {
    return Number(count) * (UNITS[unit] ?? SECOND);
  });
  return parts.reduce((sum, part) => sum + part);
}

/** Milliseconds until a message is due, by a time in seconds since 1970. */
function notBefore(headers: Headers): number | undefined {
  const text = textOf(headers, 'upstash-not-before');
  if (text === undefined) return undefined;
  if (!/^\d{1,12}$/.test(text)) throw mistake('upstash-not-before', 'be seconds since 1970');
  return Math.max(0, Number(text) * SECOND - Date.now());
}

/** Headers of the connection of the client are none of the message. */
function forwarded(headers: Headers, prefix: string): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).flatMap(([name, value]) => {
    const own = name.startsWith(prefix) ? name.slice(prefix.length) : '';
    return own === '' || isOwnHeader(own) || value === undefined ? [] : [[own, value] as const];
  });
  return Object.fromEntries(entries);
}

function flowControlOf(headers: Headers): FlowControl | undefined {
  const key = shortText(headers, 'upstash-flow-control-key');
  if (key === undefined) return undefined;
  const name = 'upstash-flow-control-value';
  const given = (headers[name] ?? '').split(',').map((part) => part.split('=', 2));
  const values = new Map(given.map(([field = '', value = '']) => [field.trim(), value.trim()]));
  const parallelism = wholeNumber(values.get('parallelism'), name);
  const rate = wholeNumber(values.get('rate') ?? values.get('ratePerSecond'), name);
  const written = values.get('period');
  const period = written === undefined ? undefined : parsedDuration(written);
  if ((parallelism ?? rate) === undefined || (written !== undefined && !period)) {
    throw mistake(name, 'have parallelism=…, rate=…, or both, and may have period=… such as 10s');
  }
  return { key, parallelism, rate, period };
}

/** That of an entry of a batch could be as long as the body. */
function shortText(headers: Headers, name: string): string | undefined {
  const text = textOf(headers, name);
  if (text === undefined || text.length <= MOST_CHARACTERS) return text;
  throw mistake(name, `have at most ${MOST_CHARACTERS} characters`);
}

function wholeNumber(text: string | undefined, header: string): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value > 0) return value;
  throw mistake(header, 'have whole numbers from 1');
}

function redactionOf(headers: Headers): OutgoingPush['redact'] {
  const text = headers['upstash-redact-fields'];
  if (text === undefined || text.trim() === '') return undefined;
  const fields = text.split(',').map((field) => field.trim());
  const isAll = fields.includes('header') || fields.includes('headers');
  const names = fields.flatMap((field) => {
    const [, name] = /^headers?\[([^\]]+)\]$/.exec(field) ?? [];
    const isKnown = name !== undefined || ['body', 'header', 'headers'].includes(field);
    if (!isKnown) throw mistake('upstash-redact-fields', 'list body, header and header[name]');
    return name === undefined ? [] : [name.toLowerCase()];
  });
  return { body: fields.includes('body'), headers: isAll ? 'all' : names };
}

/** @param name of a header in lower case, which the error writes as QStash does. */
function mistake(name: string, must: string): DomainError {
  return invalidRequest(`${usualName(name)} must ${must}`);
}
