import {
  mapMethods,
  type Method,
  type Nature,
  type Natures,
} from '../../../../application/ports/nature.ts';
import { isOwnQueue } from '../../../../domain/queues/own-queue.ts';
import type { MemoryRoom } from './memory-room.ts';

/** The part of MemoryRoom that ports ask before they keep more. */
export type RoomCheck = Pick<MemoryRoom, 'check' | 'checkLarge'>;

/**
 * A port of a store in memory whose methods that add jobs or enlarge what is kept are refused, before they change
 * anything, while the memory has no room for them. What the service itself sends to others follows from what is there,
 * and goes on.
 *
 * @throws DomainError `memory-full` from the methods.
 */
export function growingPort<Port extends object>(
  port: Port,
  natures: Natures<Port>,
  room: RoomCheck,
): Port {
  return mapMethods(port, natures, (method, { is }) => {
    const check = checkOf(is, room);
    return check === undefined ? method : checked(method, check);
  });
}

function checkOf(nature: Nature, room: RoomCheck): ((first: unknown) => void) | undefined {
  if (nature === 'enlarges' || nature === 'enlarges later') return () => room.checkLarge();
  if (nature !== 'adds') return undefined;
  return (queue) => {
    if (!isOwnQueue(String(queue))) room.check();
  };
}

function checked(method: Method, check: (first: unknown) => void): Method {
  // eslint-disable-next-line @typescript-eslint/require-await -- async turns what the check throws into a rejection
  return async (...given) => {
    check(given[0]);
    return method(...given);
  };
}
