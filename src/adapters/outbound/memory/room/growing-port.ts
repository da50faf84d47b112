import { isOwnQueue } from '../../../../domain/queues/own-queue.ts';
import { methodsOf } from '../ports/methods-of.ts';
import type { MemoryRoom } from './memory-room.ts';

type Method = (...given: unknown[]) => unknown;

/** The part of MemoryRoom that ports ask before they keep more. */
export type RoomCheck = Pick<MemoryRoom, 'check' | 'checkLarge'>;

/**
 * How a method fills the memory: it `adds` jobs, or something else that others may be added as (their first argument is
 * a queue), or it `enlarges` what is there.
 */
export type GrowingMethods<Port extends object> = {
  readonly [Name in keyof Port]?: 'adds' | 'enlarges';
};

/**
 * A port of a store in memory whose methods are refused, before they change anything, while the memory has no room for
 * them. What the service itself sends to others follows from what is there, and goes on.
 *
 * @throws DomainError `memory-full` from the methods.
 */
export function growingPort<Port extends object>(
  port: Port,
  methods: GrowingMethods<Port>,
  room: RoomCheck,
): Port {
  const answers = new Map<PropertyKey, Method>();
  for (const name of methodsOf(port)) {
    const method = (port[name] as Method).bind(port);
    const growth = methods[name];
    answers.set(name, growth === undefined ? method : checked(method, growth, room));
  }
  return Object.fromEntries(answers) as Port;
}

function checked(method: Method, growth: 'adds' | 'enlarges', room: RoomCheck): Method {
  // eslint-disable-next-line @typescript-eslint/require-await -- async turns what the check throws into a rejection
  return async (...given) => {
    if (growth === 'enlarges') room.checkLarge();
    else if (!isOwnQueue(String(given[0]))) room.check();
    return method(...given);
  };
}
