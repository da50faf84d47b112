import type { Caller } from '../../../../domain/access/caller.ts';
import { rightOf } from './authentication.ts';
import type { Route } from './route.ts';

/**
 * Checks the right first, then the queue, both before anything that the store knows: a refusal does not reveal whether
 * a queue exists.
 *
 * @param target the path of the request, or its stand-in, with the query.
 * @throws DomainError `forbidden`.
 */
export function checkAccess(
  { access, needsAllQueues, parameterRights }: Route,
  caller: Caller,
  queue: string | undefined,
  target: string,
): void {
  const right = rightOf(access);
  if (right !== undefined) caller.require(right);
  if (parameterRights !== undefined) {
    const start = target.indexOf('?');
    const query = new URLSearchParams(start === -1 ? '' : target.slice(start));
    for (const [name, needed] of Object.entries(parameterRights)) {
      if (query.has(name)) caller.require(needed);
    }
  }
  if (queue !== undefined) caller.requireQueue(queue);
  if (needsAllQueues === true) caller.requireAllQueues();
}
