import { checkShape } from './check-shape.ts';
import {
  nullable,
  object,
  optional,
  required,
  string,
  text,
  time,
  type Shape,
  type Shaped,
} from './shape.ts';
import { hasLength, isPrintable } from './text.ts';

/** The longest reason of a pause or a hold, in characters. */
export const MAX_STOP_REASON = 200;

/** Why a person stops something, in their words. */
export const stopReasonShape = text(
  `be a string of 1 to ${MAX_STOP_REASON} characters without control characters`,
  (reason) => hasLength(reason, 1, MAX_STOP_REASON) && isPrintable(reason) && reason.trim() !== '',
  { minLength: 1, maxLength: MAX_STOP_REASON, examples: ['Deploy of billing'] },
);

/** The body of a request to pause something. */
export const stopOrderShape = object('StopOrder', {
  reason: optional(stopReasonShape, 'The reason, for those who ask'),
});

export type StopOrder = Shaped<typeof stopOrderShape>;

/** Who stopped something, when and why (further contract, section 25). */
export const stopShape = object('Stop', {
  by: required(string, 'The name of the token or the person'),
  at: required(time, 'The time, in milliseconds since 1970'),
  reason: required(nullable(string), 'The reason; null where none was given'),
});

export type Stop = Shaped<typeof stopShape>;

/** What answers say of something that callers may stop. */
export const stopFields = {
  pause: optional(
    stopShape,
    'The caller that paused it, with the time and the reason; absent unless one did',
  ),
  hold: optional(
    stopShape,
    'The caller that holds it, with the time and the reason; absent unless one does',
  ),
};

/** @param at epoch ms. @throws DomainError `invalid-request` naming the field of the order. */
export function stopBy(
  { name }: { readonly name: string },
  order: StopOrder,
  at: number,
  shape: Shape<StopOrder> = stopOrderShape,
): Stop {
  checkShape(shape, order, '');
  return { by: name, at, reason: order.reason?.trim() ?? null };
}

/** The stop that counts after another one: the first stays, unless the other gives another reason. */
export function latestStop(before: Stop | undefined, stop: Stop | undefined): Stop | undefined {
  if (stop === undefined || before === undefined) return before ?? stop;
  return stop.reason === null || stop.reason === before.reason ? before : stop;
}
