import { endpointOrigin, endpointShape, type WorkerEndpoint } from '../calls/endpoint.ts';
import { invalidRequest } from '../errors.ts';
import { checkShape } from '../values/check-shape.ts';
import { mergePatched, mergePatchOf } from '../values/merge-patch.ts';
import { object, optional, orNull, type Shaped } from '../values/shape.ts';
import { workerOptionsShape } from './worker-options.ts';
import { checkNewWorker, type Worker, type WorkerInput, type WorkerShape } from './worker.ts';

const endpointChangeShape = mergePatchOf(endpointShape);

type EndpointChange = Shaped<typeof endpointChangeShape>;

/** A JSON merge patch of a worker: what it does not name stays, header values and secrets too. */
export const workerChangeShape = object('WorkerChange', {
  endpoint: optional(endpointChangeShape, 'Changes of where and how jobs are delivered'),
  opts: optional(
    orNull(mergePatchOf(workerOptionsShape)),
    'Changes of how jobs are processed; null removes all options',
  ),
});

export type WorkerChangeInput = Shaped<typeof workerChangeShape>;

/** @throws DomainError `invalid-request` naming the field, or saying that there is nothing to change. */
export function checkWorkerChange(change: WorkerChangeInput): void {
  checkShape(workerChangeShape, change, '');
  if (Object.keys(change).length > 0) return;
  throw invalidRequest('There is nothing to change: give endpoint or opts');
}

/**
 * The worker after a change. It keeps its secrets as long as its calls are signed.
 *
 * @throws DomainError `invalid-request` naming the field.
 */
export function changedWorker(
  { queue, endpoint, opts, ...rest }: Worker,
  { endpoint: ofEndpoint = {}, ...change }: WorkerChangeInput,
  shape: WorkerShape,
): Worker {
  const { secrets, ...registered } = endpoint;
  const before = {
    queue,
    endpoint: withoutNamedHeaders(registered, ofEndpoint),
    ...(opts && { opts }),
  };
  const merged = mergePatched(before, { endpoint: ofEndpoint, ...change }) as WorkerInput;
  // A merge patch removes what is null, and this field is never absent.
  const url = ofEndpoint.url === undefined ? endpoint.url : ofEndpoint.url;
  const after = checkNewWorker({ ...merged, endpoint: { ...merged.endpoint, url } }, shape);
  const keepsHeaders = ofEndpoint.headers !== null;
  if (keepsHeaders && endpointOrigin(after.endpoint) !== endpointOrigin(endpoint)) {
    requireNoKept(before.endpoint);
  }
  return {
    ...rest,
    ...after,
    endpoint: { ...after.endpoint, ...(after.endpoint.signing === true && secrets && { secrets }) },
  };
}

/** Without the headers that a change names: their names are the same in any case. */
function withoutNamedHeaders(
  endpoint: WorkerEndpoint,
  { headers: named }: EndpointChange,
): WorkerEndpoint {
  const { headers } = endpoint;
  if (headers === undefined || named === undefined || named === null) return endpoint;
  const names = new Set(Object.keys(named).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...endpoint, headers: Object.fromEntries(kept) };
}

/** Values of headers are secrets of one origin: who cannot read them must not send them to another. */
function requireNoKept({ headers = {} }: WorkerEndpoint): void {
  const [name] = Object.keys(headers);
  if (name === undefined) return;
  const field = `endpoint.headers.${name}`;
  throw invalidRequest(`${field} must be given anew, or removed, for another origin`, field);
}
