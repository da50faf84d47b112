import { isObject } from '../values/json.ts';
import { keptOrMade } from '../values/kept-or-made.ts';
import {
  anyJson,
  inAnyCase,
  object,
  oneOf,
  optional,
  required,
  type Shaped,
} from '../values/shape.ts';
import { checkSizeOfHeaders, endpointHeadersShape } from './endpoint-headers.ts';
import { ENDPOINT_METHODS, endpointUrlShape } from './endpoint.ts';

const fields = {
  url: required(
    endpointUrlShape,
    'Where the job is sent: of an origin that the policy of the queue allows',
  ),
  headers: optional(
    endpointHeadersShape,
    'Headers of its calls, which often hold a secret; those of the worker are not sent',
  ),
  method: optional(
    inAnyCase(oneOf(...ENDPOINT_METHODS)),
    'The method of its calls: that of the worker unless given',
  ),
};

/** Where one job is called, in place of the endpoint of its worker (further contract, section 23). */
export const destinationShape = object('Destination', fields);

/** The destination as it is stored: a pushed message keeps its own fields beside it. */
const storedShape = object('StoredDestination', {
  ...fields,
  push: optional(anyJson, 'What a pushed message has beside its destination'),
});

export type Destination = Shaped<typeof destinationShape>;

/** @throws DomainError `invalid-request` naming the field, for headers that some of the usual servers would refuse. */
export function checkDestination({ headers = {} }: Destination, path: string): void {
  checkSizeOfHeaders(headers, `${path}.headers`);
}

/** Whether what jobs have under its name is a destination: several parts of an attempt ask for that of its job. */
const checked = new WeakMap<object, boolean>();

/**
 * The destination of a job, if it has one, with what a pushed message has beside it. Native clients may have stored
 * anything under its name, which is ignored.
 *
 * @param opts as any producer may have stored them.
 */
export function destinationOf(opts: unknown): Destination | undefined {
  const destination = isObject(opts) ? opts['endpoint'] : undefined;
  if (!isObject(destination)) return undefined;
  const isOne = keptOrMade(checked, destination, storedShape.accepts);
  return isOne ? (destination as Destination) : undefined;
}

/** The destination with its method in lower case, as that of a worker is kept, and nothing that it must not have. */
export function normalDestination({ url, headers, method }: Destination): Destination {
  return {
    url,
    ...(headers !== undefined && { headers }),
    ...(method !== undefined && { method: method.toLowerCase() }),
  };
}
