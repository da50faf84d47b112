import { givesOrder } from '../calls/delivery-order.ts';
import type { EndpointAnswer } from '../calls/delivery.ts';
import { reasonShape } from '../values/reason.ts';
import {
  integer,
  nullable,
  object,
  optional,
  required,
  string,
  type Shaped,
} from '../values/shape.ts';
import type { Stop } from '../values/stop.ts';
import { without } from '../values/without.ts';
import type { Worker } from './worker.ts';

/** The body of a request to disable a worker. */
export const disablingOrderShape = object('Disabling', {
  reason: optional(reasonShape('The endpoint is being moved'), 'The reason, for those who ask'),
});

export type DisablingOrder = Shaped<typeof disablingOrderShape>;

/** When (epoch ms) a worker was disabled, and why. */
export const disabledShape = object('Disabled', {
  since: required(integer(0), 'Since when, in milliseconds since 1970'),
  reason: required(nullable(string), 'The reason; null where none was given'),
});

export type Disabled = Shaped<typeof disabledShape>;

const ORDERED = 'The endpoint answered webhook-delivery: disable';
const GONE = 'The endpoint answered 410 Gone';

/** Why the answer disables the worker that was called; undefined when it does not. */
export function disablingReason(
  answer: Pick<EndpointAnswer, 'status' | 'headers'>,
  { opts }: Pick<Worker, 'opts'>,
): string | undefined {
  if (givesOrder(answer, 'disable')) return ORDERED;
  if (opts?.disableOnGone === true && answer.status === 410) return GONE;
  return undefined;
}

/** Whether an answer disabled the worker, or a secret that cannot be read, and not a caller. */
export function isDisabledByItself({
  disabled,
  unreadable,
}: Pick<Worker, 'disabled' | 'unreadable'>): boolean {
  if (disabled === undefined) return false;
  return unreadable !== undefined || disabled.reason === ORDERED || disabled.reason === GONE;
}

/** The disabled worker; undefined when it already is disabled, and stays unchanged. */
export function disabledWorker(
  worker: Worker,
  disabling: Required<Pick<Worker, 'disabled'>> & Pick<Worker, 'disabledBy'>,
): Worker | undefined {
  return worker.disabled === undefined ? { ...worker, ...disabling } : undefined;
}

/** The enabled worker; undefined when it already is enabled. */
export function enabledWorker(worker: Worker): Worker | undefined {
  if (worker.disabled === undefined) return undefined;
  return without(without(worker, 'disabled'), 'disabledBy');
}

/** Who disabled the worker, and why; undefined unless a caller did. */
export function stopOfWorker({ disabled, disabledBy, unreadable }: Worker): Stop | undefined {
  if (!disabled || disabledBy === undefined || unreadable !== undefined) return undefined;
  return { by: disabledBy, at: disabled.since, reason: disabled.reason };
}
