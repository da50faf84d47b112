import { checkShape } from './check-shape.ts';
import { endpointOf, endpointShape, type Endpoint } from './endpoint.ts';
import type { QueueName } from './queue-name.ts';
import { object, optional, required, type Shape, type Shaped } from './shape.ts';
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

/** A worker that was checked. */
export type Worker = Omit<WorkerInput, 'endpoint'> & { readonly endpoint: Endpoint };

/**
 * Checks every rule of a worker, whatever its source: a request, or a record that some other
 * program may have written to the store.
 *
 * @throws DomainError `invalid-request` naming the field.
 */
export function checkWorker(worker: WorkerInput, shape: WorkerShape): Worker {
  checkShape(shape, worker, '');
  return workerOf(worker);
}

/** @param input a worker of the right shape. */
export function workerOf(input: WorkerInput): Worker {
  return { ...input, endpoint: endpointOf(input.endpoint) };
}

const REDACTED = '[redacted]';

/** The worker as it may be shown: header values often hold secrets of the endpoint. */
export function redacted(worker: Worker): Worker {
  const { headers } = worker.endpoint;
  if (headers === undefined) return worker;
  const hidden = Object.fromEntries(Object.keys(headers).map((name) => [name, REDACTED]));
  return { ...worker, endpoint: { ...worker.endpoint, headers: hidden } };
}
