import { invalidRequest } from '../../../../domain/errors.ts';
import type { EventLoopTurns } from '../messages/event-loop-turns.ts';
import { LONG_BODY, type BodyFormat } from '../messages/request-body.ts';

/** The body that the bytes are. @throws DomainError `invalid-request`. */
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
