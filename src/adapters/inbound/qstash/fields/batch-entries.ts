import { invalidRequest } from '../../../../domain/errors.ts';
import { isObject, parsedJson } from '../../../../domain/values/json.ts';
import type { WrittenMessage } from './message-headers.ts';

/** The most messages of a batch. */
const MOST_ENTRIES = 100;

/** A message of a batch, and the name of its queue. */
export interface BatchEntry extends WrittenMessage {
  readonly queue: string | undefined;
}

/** @throws DomainError `invalid-request` naming the field. */
export function batchEntries({
  body,
  address,
}: Pick<WrittenMessage, 'body' | 'address'>): readonly BatchEntry[] {
  const entries: unknown = parsedJson(body.toString('utf8'));
  if (!Array.isArray(entries)) throw invalidRequest('The body must be an array of messages');
  if (entries.length > MOST_ENTRIES) {
    throw invalidRequest(`A batch must have at most ${MOST_ENTRIES} messages`);
  }
  return entries.map((entry, index) => batchEntry(entry, index, address));
}

function batchEntry(entry: unknown, index: number, address: string): BatchEntry {
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
    address,
    queue: typeof queue === 'string' ? queue : undefined,
  };
}

function mistake(index: number, field: string, must: string): Error {
  return invalidRequest(`[${index}]${field} must ${must}`, `[${index}]${field}`);
}
