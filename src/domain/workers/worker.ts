import { checkShape } from '../values/check-shape.ts';
import { invalidRequest } from '../errors.ts';
import { endpointOf, endpointShape, type Endpoint } from '../calls/endpoint.ts';
import type { Disabled } from './worker-disabling.ts';
import { withoutSecrets } from '../calls/signing.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { object, optional, required, type Shape, type Shaped } from '../values/shape.ts';
import { workerOptionsShape } from './worker-options.ts';

/** The one worker of a queue: its endpoint and how to call it (specification, "WorkerMetadata"). */
export function workerShape(queueName: Shape<QueueName>) {
  return object('Worker', {
    queue: required(queueName, 'The queue whose jobs it processes'),
    endpoint: required(endpointShape, 'Where and how jobs are delivered'),
    opts: optional(workerOptionsShape, 'How jobs are processed'),
  });
}

/** A worker as a client or a record has it. */
export type WorkerInput = Shaped<WorkerShape>;

export type WorkerShape = ReturnType<typeof workerShape>;

/** A worker that passed every rule, with the fields of its record that no answer shows. */
export type Worker = Omit<WorkerInput, 'endpoint'> & {
  readonly endpoint: Endpoint;
  /** Drawn for each registration, to distinguish it from others of the queue; absent in records of older versions. */
  readonly registration?: string;
  /** When it was registered (epoch ms); absent in records of older versions. */
  readonly registeredAt?: number;
  readonly disabled?: Disabled;
  /** Why its secrets cannot be read here; no record has it. */
  readonly unreadable?: string;
};

/**
 * Checks every rule of a worker, whatever its source: a request, or a record that some other
 * program may have written to the store.
 *
 * @throws DomainError `invalid-request` naming the field.
 */
export function checkWorker(worker: WorkerInput, shape: WorkerShape): Worker {
  checkShape(shape, worker, '');
  checkBatch(worker);
  return workerOf(worker);
}

/** Several jobs need the envelope, which has the id and the token of each. */
function checkBatch({ endpoint: { body = 'envelope' }, opts }: WorkerInput): void {
  if (opts?.batch === undefined || body === 'envelope') return;
  throw invalidRequest('endpoint.body must be envelope where opts.batch is given', 'endpoint.body');
}

/** @param input a worker of the right shape. */
export function workerOf(input: WorkerInput): Worker {
  return { ...input, endpoint: endpointOf(input.endpoint) };
}

const REDACTED = '[redacted]';

/** The worker as it was registered and may be shown: header values often are secrets of the endpoint too. */
export function shownWorker({ queue, endpoint, opts }: Worker): Worker {
  const { headers, ...shown } = withoutSecrets(endpoint);
  return {
    queue,
    endpoint: { ...shown, ...(headers && { headers: hidden(headers) }) },
    ...(opts && { opts }),
  };
}

function hidden(headers: object): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, REDACTED]));
}
