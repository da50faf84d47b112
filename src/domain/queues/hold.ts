import { integer, object, optional, required, type Shaped, time } from '../values/shape.ts';
import { type Stop, stopReasonShape } from '../values/stop.ts';

/** The longest hold that may be requested, in milliseconds: a day. */
export const LONGEST_HOLD = 86_400_000;

/** How long to start no job of a queue. */
export const holdOrderShape = object('HoldOrder', {
  for: required(
    integer(1, LONGEST_HOLD),
    'Milliseconds in which no job starts, unless the queue is held for longer already',
  ),
  reason: optional(stopReasonShape, 'The reason, for those who ask'),
});

export type HoldOrder = Shaped<typeof holdOrderShape>;

/** Who asked for a hold: the endpoint in an answer, or a caller of the API. */
export const HOLDERS = ['endpoint', 'caller'] as const;

export type Holder = (typeof HOLDERS)[number];

/** A period in which no job of a queue starts, in epoch milliseconds of the store. */
export interface Hold {
  readonly since: number;
  readonly until: number;
  /** Who asked for its end: of several holds, the one that ends last counts. */
  readonly by: Holder;
  /** Absent when the endpoint holds the queue, and where an earlier version was asked. */
  readonly stop?: Stop | undefined;
}

/** How long a queue or a group is held. */
export const heldShape = object('Held', {
  until: required(time, 'Until when no job of the queue starts, in milliseconds since 1970'),
});
