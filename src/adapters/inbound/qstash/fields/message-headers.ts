import type { OrderedCall, OutgoingPush } from '../../../../application/pushes/outgoing-push.ts';
import { isOwnHeader } from '../../../../domain/calls/endpoint-headers.ts';
import { invalidRequest, type DomainError } from '../../../../domain/errors.ts';
import type { FlowControl } from '../../../../domain/messages/push.ts';
import { usualName } from '../../../../domain/messages/shown-headers.ts';
import { NotServedError } from '../wire/failure.ts';

/** The headers of a request, or of an entry of a batch, by their names in lower case. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** What the headers of a message say of it. */
export type MessageTerms = Omit<OutgoingPush, 'to' | 'queue' | 'content' | 'schedule' | 'callerIp'>;

const SECOND = 1000;
const UNITS: Readonly<Record<string, number>> = {
  s: SECOND,
  m: 60 * SECOND,
  h: 3600 * SECOND,
  d: 86_400 * SECOND,
};

const DURATION = /^(?:(?<plain>\d+)|(?:\d+[smhd])+)$/;

const DEFAULT_RETRIES = 3;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The terms of a message by its headers; those that QStash does not know are ignored. @throws DomainError `invalid-request`. */
export function messageTerms(headers: Headers, now: number): MessageTerms {
  if (Object.keys(headers).some((name) => name.startsWith('upstash-workflow-'))) throw useSteps();
  const callback = following(headers, 'upstash-callback');
  const failureCallback = following(headers, 'upstash-failure-callback');
  const deduplicationId = headers['upstash-deduplication-id'];
  const isByContent = headers['upstash-content-based-deduplication']?.toLowerCase() === 'true';
  const deduplication =
    deduplicationId === undefined ? isByContent && ('content' as const) : { id: deduplicationId };
  const flowControl = flowControlOf(headers);
  const redact = redactionOf(headers);
  const label = headers['upstash-label'];
  const type = headers['content-type'];
  const call = callTerms(headers, 'upstash', now);
  return {
    ...call,
    headers: { ...(type !== undefined && { 'content-type': type }), ...call.headers },
    ...(callback && { callback }),
    ...(failureCallback && { failureCallback }),
    ...(deduplication && { deduplication }),
    ...(flowControl && { flowControl }),
    ...(redact && { redact }),
    ...(label !== undefined && label !== '' && { label }),
  };
}

/** The refusal of what belongs to workflows. */
export function useSteps(): NotServedError {
  return new NotServedError(
    'Use steps: workflows are not served here, and an endpoint can save and await steps without a library',
  );
}

/** A callback with a set of headers of its own. */
function following(headers: Headers, prefix: string): OrderedCall | undefined {
  const url = headers[prefix];
  if (url === undefined || url === '') return undefined;
  const terms = callTerms(headers, prefix);
  return { url, ...terms, headers: { 'content-type': 'application/json', ...terms.headers } };
}

/** @param now epoch ms, for a set that may name a time. */
function callTerms(headers: Headers, prefix: string, now?: number): Omit<OrderedCall, 'url'> {
  const method = methodOf(headers, `${prefix}-method`);
  const retries = headers[`${prefix}-retries`] ?? String(DEFAULT_RETRIES);
  if (!/^\d{1,9}$/.test(retries)) throw mistake(`${prefix}-retries`, 'be a whole number');
  const retryDelay = headers[`${prefix}-retry-delay`];
  const timeout = durationOf(headers, `${prefix}-timeout`);
  const delay =
    (now !== undefined && notBefore(headers, now)) || durationOf(headers, `${prefix}-delay`);
  return {
    retries: Number(retries),
    headers: forwarded(headers, `${prefix}-forward-`),
    ...(method !== undefined && { method }),
    ...(retryDelay !== undefined && retryDelay !== '' && { retryDelay }),
    ...(timeout !== undefined && timeout > 0 && { timeout }),
    ...(delay !== undefined && { delay }),
  };
}

function methodOf(headers: Headers, name: string): string | undefined {
  const method = headers[name]?.toUpperCase();
  if (method === undefined || METHODS.includes(method)) return method;
  throw mistake(name, `be one of ${METHODS.join(', ')}`);
}

/** In milliseconds; a number without a unit is one of seconds. */
export function durationOf(headers: Headers, name: string): number | undefined {
  const text = headers[name]?.trim();
  if (text === undefined || text === '') return undefined;
  const duration = parsedDuration(text);
  if (duration === undefined) throw mistake(name, 'be a duration such as 50s, 3m, 10h or 1d');
  return duration;
}

function parsedDuration(text: string): number | undefined {
  const found = text.length > 30 ? null : DURATION.exec(text);
  if (found === null) return undefined;
  const { plain } = found.groups ?? {};
  if (plain !== undefined) return Number(plain) * SECOND;
  let sum = 0;
  for (const [, count, unit = ''] of text.matchAll(/(\d+)([smhd])/g)) {
    sum += Number(count) * (UNITS[unit] ?? 0);
  }
  return sum;
}

/** The time until a message is due, by a time in seconds since 1970. */
function notBefore(headers: Headers, now: number): number | undefined {
  const text = headers['upstash-not-before'];
  if (text === undefined || text === '') return undefined;
  if (!/^\d{1,12}$/.test(text)) throw mistake('upstash-not-before', 'be seconds since 1970');
  return Math.max(0, Number(text) * SECOND - now);
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
  const key = headers['upstash-flow-control-key'];
  if (key === undefined || key === '') return undefined;
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
  return {
    key,
    ...(parallelism !== undefined && { parallelism }),
    ...(rate !== undefined && { rate }),
    ...(period !== undefined && { period }),
  };
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
