import { checkSizeOfHeaders, endpointHeadersShape } from '../calls/endpoint-headers.ts';
import { endpointUrlShape } from '../calls/endpoint.ts';
import { queueReferenceShape } from '../queues/queue-reference.ts';
import { isObject } from '../values/json.ts';
import {
  bounded,
  listOf,
  nonEmpty,
  object,
  oneOf,
  optional,
  required,
  text,
  type Shape,
  type Shaped,
} from '../values/shape.ts';

/** The ends that a callback may follow. A cancelled or expired job failed. */
const CALLBACK_ENDS = ['completed', 'failed'] as const;

export type CallbackEnd = (typeof CALLBACK_ENDS)[number];

/** The longest name of a job that a callback adds. */
const MOST_JOB_NAME = 1000;

const on = optional(
  bounded(
    CALLBACK_ENDS.length,
    nonEmpty(listOf(oneOf(...CALLBACK_ENDS)), 'be an array, not empty, of completed, failed'),
  ),
  'Which ends it follows: both unless given',
);

const toUrlShape = object('CallbackToUrl', {
  url: required(
    endpointUrlShape,
    'Where the result is sent: of an origin that the policy of the queue allows',
  ),
  headers: optional(endpointHeadersShape, 'Headers of the call, which often hold a secret'),
  on,
});

const toQueueShape = object('CallbackToQueue', {
  queue: required(queueReferenceShape, 'The queue that gets a job'),
  name: optional(
    bounded(
      MOST_JOB_NAME,
      text('be a string', (name) => name.isWellFormed()),
    ),
    'The name of that job: the type of the event unless given',
  ),
  as: optional(
    oneOf('event', 'job'),
    'The data that it gets: the event, or a copy of the job, as in a dead letter queue; the event unless given',
  ),
  on,
});

/** A call or a job that follows the end of a job (reach contract, section 18). */
export const callbackShape: Shape<Shaped<typeof toUrlShape> | Shaped<typeof toQueueShape>> = {
  must: 'be an object with a url or a queue',
  accepts: (value): value is Callback => chosen(value).accepts(value),
  schema: { anyOf: [toUrlShape.schema, toQueueShape.schema] },
  parts: { kind: 'either', shapes: [toUrlShape, toQueueShape], choose: chosen },
};

export type Callback = Shaped<typeof toUrlShape> | Shaped<typeof toQueueShape>;

function chosen(value: unknown): typeof toUrlShape | typeof toQueueShape {
  return isObject(value) && 'queue' in value ? toQueueShape : toUrlShape;
}

/** @throws DomainError `invalid-request` naming the field, for headers that some of the usual servers would refuse. */
export function checkCallback(callback: Callback, path: string): void {
  if ('url' in callback) checkSizeOfHeaders(callback.headers ?? {}, `${path}.headers`);
}

/** The callback that follows this end, if any. @param callback as any producer may have stored it. */
export function callbackAfter(callback: unknown, end: CallbackEnd): Callback | undefined {
  if (!isObject(callback)) return undefined;
  const { url, queue, on: ends } = callback;
  if (typeof url !== 'string' && typeof queue !== 'string') return undefined;
  const isFollowed = !Array.isArray(ends) || ends.includes(end);
  return isFollowed ? (callback as unknown as Callback) : undefined;
}

/** Scheme, host and port of a URL as it is written: deliveries to one origin wait for each other, and for no other. */
export function originOf(url: string): string {
  return /^[a-z]+:\/\/[^/?#]+/i.exec(url)?.[0] ?? '';
}
