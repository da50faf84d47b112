import type { IncomingMessage } from 'node:http';
import { checkShape } from '../../../../domain/values/check-shape.ts';
import type { Shape } from '../../../../domain/values/shape.ts';

export const LAST_EVENT_ID = 'Last-Event-ID';

/**
 * The id of the last event that a client knows, as browsers send it when they reconnect.
 *
 * @throws DomainError `invalid-request` when it has the wrong form.
 */
export function lastEventIdOf(request: IncomingMessage, shape: Shape<string>): string | undefined {
  const id = request.headers['last-event-id'];
  if (id !== undefined) checkShape(shape, id, LAST_EVENT_ID);
  return id as string | undefined;
}
