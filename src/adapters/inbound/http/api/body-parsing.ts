import type { Caller } from '../../../../domain/access/caller.ts';
import { invalidRequest } from '../../../../domain/errors.ts';
import { parsedJson } from '../../../../domain/values/json.ts';
import type { EventLoopTurns } from '../messages/event-loop-turns.ts';
import { LONG_BODY, type BodyFormat } from '../messages/body-format.ts';

/** The body parsed from the bytes. @throws DomainError `invalid-request`. */
export async function parsedBody(
  format: BodyFormat<unknown>,
  bytes: Buffer,
  turns: EventLoopTurns,
): Promise<unknown> {
  if (bytes.length === 0) {
    if (format.whenAbsent !== undefined) return format.whenAbsent;
    throw invalidRequest(`The request body is empty, expected ${format.expected}`);
  }
  if (bytes.length <= LONG_BODY) return format.parse(bytes, turns);
  await turns.next();
  const body = await format.parse(bytes, turns);
  await turns.next();
  return body;
}

/**
 * A queue that a caller may not use is reported before any other mistake in a body (platform contract, section 11), as
 * far as the body can be read. A long body with mistakes is not read again.
 *
 * @param check refuses the caller for the queues that a body names.
 * @throws DomainError `forbidden`.
 */
export function checkQueues(
  bytes: Buffer,
  check: (body: unknown, caller: Caller) => void,
  caller: Caller,
): void {
  if (bytes.length > LONG_BODY || caller.queues === null) return;
  check(parsedJson(bytes.toString()), caller);
}

/** @param queues as any client may name them. @throws DomainError `forbidden`. */
export function requireQueues(queues: Iterable<unknown>, caller: Caller): void {
  for (const queue of queues) if (typeof queue === 'string') caller.requireQueue(queue);
}
