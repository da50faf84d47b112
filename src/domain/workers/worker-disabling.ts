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
import type { Worker } from './worker.ts';

/** What a client may say when it disables a worker. */
export const disablingOrderShape = object('Disabling', {
  reason: optional(reasonShape('The endpoint is being moved'), 'Why, for those who ask'),
});

export type DisablingOrder = Shaped<typeof disablingOrderShape>;

/** Since when (epoch ms) a worker is disabled, and why. */
export const disabledShape = object('Disabled', {
  since: required(integer(0), 'Since when, in milliseconds since 1970'),
  reason: required(nullable(string), 'Why; null where no reason was given'),
});

export type Disabled = Shaped<typeof disabledShape>;

/** Why the answer disables the worker that it was called for; undefined when it does not. */
export function disablingReason(
  answer: Pick<EndpointAnswer, 'status' | 'headers'>,
  { opts }: Pick<Worker, 'opts'>,
): string | undefined {
  if (givesOrder(answer, 'disable')) return 'The endpoint answered webhook-delivery: disable';
  if (opts?.disableOnGone === true && answer.status === 410)
    return 'The endpoint answered 410 Gone';
  return undefined;
}

/** The worker disabled; undefined when it is so already, and stays as it is. */
export function disabledWorker(worker: Worker, disabled: Disabled): Worker | undefined {
  return worker.disabled === undefined ? { ...worker, disabled } : undefined;
}

/** The worker enabled; undefined when it is so already. */
export function enabledWorker({ disabled, ...worker }: Worker): Worker | undefined {
  return disabled === undefined ? undefined : worker;
}
