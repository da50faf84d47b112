import type { Destination } from '../calls/destination.ts';
import type { Endpoint, EndpointMethod } from '../calls/endpoint.ts';
import { withFields } from '../values/with-fields.ts';
import type { Worker } from './worker.ts';

/** The reason of a job that nothing can be called for. */
export const NO_ENDPOINT = 'Job has no endpoint';

/** A worker with a URL to call. */
export type CalledWorker = Worker & { readonly endpoint: Endpoint };

export function hasUrl(worker: Worker): worker is CalledWorker {
  return worker.endpoint.url !== null;
}

/** The worker with its endpoint replaced by the destination of a job, whose headers are decrypted. */
export function workerCalling(worker: Worker, destination: Destination): CalledWorker {
  const { url, method = worker.endpoint.method, headers = {} } = destination;
  const called = { url, method: method.toLowerCase() as EndpointMethod, headers };
  return { ...worker, endpoint: withFields(worker.endpoint, called) };
}
