import { invalidRequest } from '../../../../domain/errors.ts';
import { isObject, parsedJson } from '../../../../domain/values/json.ts';
import type { Headers } from './message-headers.ts';

/** The most messages of a batch. */
const MOST_ENTRIES = 100;

/** A message of a batch as its client wrote it. */
export interface BatchEntry {
  readonly destination: string;
  /** By their names in lower case. */
  readonly headers: Headers;
  readonly body: Buffer;
  readonly queue?: string;
}

/** @throws DomainError `invalid-request` naming the field. */
export function batchEntries(body: Buffer): readonly BatchEntry[] {
  const entries: unknown = parsedJson(body.toString('utf8'));
  if (!Array.isArray(entries)) throw invalidRequest('The body must be an array of messages');
  if (entries.length > MOST_ENTRIES) {
    throw invalidRequest(`A batch must have at most ${MOST_ENTRIES} messages`);
  }
  return entries.map(batchEntry);
}

function batchEntry(entry: unknown, index: number): BatchEntry {
  if (!isObject(entry)) throw mistake(index, '', 'be an object');
  const { destination, headers = {}, body = '', queue } = entry;
  if (typeof destination !== 'string') throw mistake(index, '.destination', 'be a string');
  if (!isObject(headers)) throw mistake(index, '.headers', 'be an object of strings');
  if (typeof body !== 'string' && body !== null) throw mistake(index, '.body', 'be a string');
  if (queue !== undefined && queue !== null && typeof queue !== 'string') {
    throw mistake(index, '.queue', 'be a string');
  }
  const named = Object.entries(headers).map(([name, value]) => {
    if (typeof value === 'string') return [name.toLowerCase(), value] as const;
    throw mistake(index, '.headers', 'be an object of strings');
  });
  return {
    destination,
    headers: Object.fromEntries(named),
    body: Buffer.from(body ?? ''),
    ...(typeof queue === 'string' && { queue }),
  };
}

function mistake(index: number, field: string, must: string): Error {
  return invalidRequest(`[${index}]${field} must ${must}`, `[${index}]${field}`);
}
