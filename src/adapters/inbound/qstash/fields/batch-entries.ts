import { invalidRequest } from '../../../../domain/errors.ts';
import { checkShape } from '../../../../domain/values/check-shape.ts';
import { parsedJson } from '../../../../domain/values/json.ts';
import {
  listOf,
  mapOf,
  object,
  optional,
  orNull,
  required,
  string,
  type Shaped,
} from '../../../../domain/values/shape.ts';
import type { Headers, WrittenMessage } from './message-headers.ts';

/** The most messages of a batch. */
const MOST_ENTRIES = 100;

const entriesShape = listOf(
  object('BatchEntry', {
    destination: required(string, 'A URL, or the name of a URL group'),
    headers: optional(mapOf(string, string, 'be an object of strings'), 'Those of the message'),
    body: optional(orNull(string), 'The body of the message'),
    queue: optional(orNull(string), 'The name of its queue'),
  }),
);

/** The messages of a batch, each with the name of its queue. @throws DomainError `invalid-request` naming the field. */
export function batchEntries({ body, address }: Pick<WrittenMessage, 'body' | 'address'>) {
  const entries: unknown = parsedJson(body.toString('utf8'));
  if (!Array.isArray(entries)) throw invalidRequest('The body must be an array of messages');
  if (entries.length > MOST_ENTRIES) {
    throw invalidRequest(`A batch must have at most ${MOST_ENTRIES} messages`);
  }
  checkShape(entriesShape, entries, '');
  return (entries as Shaped<typeof entriesShape>).map(({ headers = {}, ...entry }) => {
    const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    return {
      destination: entry.destination,
      headers: Object.fromEntries(named) as Headers,
      body: Buffer.from(entry.body ?? ''),
      address,
      queue: entry.queue ?? undefined,
    };
  });
}
