import { checkEndpoint, type Endpoint } from './endpoint.ts';
import { checkQueueName, type QueueNameLimits } from './queue-name.ts';
import { checkWorkerOptions, type WorkerOptions } from './worker-options.ts';

/** The one worker of a queue: its endpoint and how to call it (specification, "WorkerMetadata"). */
export interface Worker {
  readonly queue: string;
  readonly endpoint: Endpoint;
  readonly opts?: WorkerOptions;
}

/**
 * Checks every rule of a worker, whatever its source: a request, or a record that some other
 * program may have written to the store.
 *
 * @throws DomainError `invalid-request` naming the field.
 */
export function checkWorker(worker: Worker, limits: QueueNameLimits): Worker {
  checkQueueName(worker.queue, limits, 'queue');
  checkEndpoint(worker.endpoint, 'endpoint');
  if (worker.opts !== undefined) checkWorkerOptions(worker.opts, 'opts');
  return worker;
}

const REDACTED = '[redacted]';

/** The worker as it may be shown: header values often hold secrets of the endpoint. */
export function redacted(worker: Worker): Worker {
  const { headers } = worker.endpoint;
  if (headers === undefined) return worker;
  const hidden = Object.fromEntries(Object.keys(headers).map((name) => [name, REDACTED]));
  return { ...worker, endpoint: { ...worker.endpoint, headers: hidden } };
}
