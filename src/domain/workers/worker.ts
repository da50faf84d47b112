import { checkShape } from '../values/check-shape.ts';
import { invalidRequest } from '../errors.ts';
import { endpointOf, endpointShape, type WorkerEndpoint } from '../calls/endpoint.ts';
import { hiddenHeaders } from '../calls/called-secrets.ts';
import { checkSizeOfHeaders } from '../calls/endpoint-headers.ts';
import type { Disabled } from './worker-disabling.ts';
import { withoutSecrets } from '../calls/signing.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { object, optional, required, type Shape, type Shaped } from '../values/shape.ts';
import { workerOptionsShape } from './worker-options.ts';

/** How many workers the service has at most. */
export const MOST_WORKERS = 10_000;

/** The one worker of a queue: its endpoint and how to call it (specification, "WorkerMetadata"). */
export function workerShape(queueName: Shape<QueueName>) {
  return object('Worker', {
    queue: required(queueName, 'The queue whose jobs it processes'),
    endpoint: required(endpointShape, 'Where and how jobs are delivered'),
    opts: optional(workerOptionsShape, 'How jobs are processed'),
  });
}

/** A worker as a client sends it or a record stores it. */
export type WorkerInput = Shaped<WorkerShape>;

export type WorkerShape = ReturnType<typeof workerShape>;

/** A worker that passed every rule, with the fields of its record that no answer returns. */
export type Worker = Omit<WorkerInput, 'endpoint'> & {
  readonly endpoint: WorkerEndpoint;
  /** Random for each registration, to tell registrations of a queue apart; absent in records of older versions. */
  readonly registration?: string;
  /** When it was registered (epoch ms); absent in records of older versions. */
  readonly registeredAt?: number;
  readonly disabled?: Disabled;
  /** Why its secrets cannot be decrypted here; never stored. */
  readonly unreadable?: string;
};

/**
 * Checks every rule of a worker from any source: a request, or a record that another program may have written to the
 * store.
 *
 * @throws DomainError `invalid-request` naming the field.
 */
export function checkWorker(worker: WorkerInput, shape: WorkerShape): Worker {
  checkShape(shape, worker, '');
  checkBatch(worker);
  return workerOf(worker);
}

/**
 * Checks a worker that is to be registered: beside the rules of every worker, those that records of earlier versions
 * may break.
 *
 * @throws DomainError `invalid-request` naming the field.
 */
export function checkNewWorker(input: WorkerInput, shape: WorkerShape): Worker {
  const worker = checkWorker(input, shape);
  checkSizeOfHeaders(worker.endpoint.headers ?? {}, 'endpoint.headers');
  return worker;
}

/** Several jobs need the envelope, which contains the id and the token of each. */
function checkBatch({ endpoint: { body = 'envelope' }, opts }: WorkerInput): void {
  if (opts?.batch === undefined || body === 'envelope') return;
  throw invalidRequest('endpoint.body must be envelope where opts.batch is given', 'endpoint.body');
}

/** @param input a worker of the right shape. */
export function workerOf(input: WorkerInput): Worker {
  return { ...input, endpoint: endpointOf(input.endpoint) };
}

/** The worker as registered, in a form that may be shown: header values often contain secrets of the endpoint. */
export function shownWorker({ queue, endpoint, opts }: Worker): Worker {
  const { headers, ...shown } = withoutSecrets(endpoint);
  return {
    queue,
    endpoint: { ...shown, ...(headers && { headers: hiddenHeaders(headers) }) },
    ...(opts && { opts }),
  };
}
