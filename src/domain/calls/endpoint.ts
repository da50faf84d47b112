import { callTimeoutShape } from './call-timeout.ts';
import { endpointHeadersShape, MAX_HEADERS } from './endpoint-headers.ts';
import {
  boolean,
  bounded,
  inAnyCase,
  object,
  oneOf,
  optional,
  orNull,
  required,
  text,
  type Shaped,
} from '../values/shape.ts';
import type { SigningSecrets } from './signing.ts';
import { successShape } from './success-statuses.ts';
import { parsedUrl } from '../values/parsed-url.ts';

export const ENDPOINT_METHODS = ['post', 'get', 'put', 'delete', 'patch'] as const;

export type EndpointMethod = (typeof ENDPOINT_METHODS)[number];

export const ENDPOINT_BODIES = ['envelope', 'data', 'none'] as const;

/** The body of a call: the job with the token, the data of the job, or nothing. */
export type EndpointBody = (typeof ENDPOINT_BODIES)[number];

/** The most characters of a URL; the usual servers take no more. */
const MAX_URL = 8192;

/** Where calls go. */
export const endpointUrlShape = bounded(
  MAX_URL,
  text('be a valid http or https URL without user name or password', isHttpUrl, {
    examples: ['https://example.com/jobs'],
    pattern: '^[Hh][Tt][Tt][Pp][Ss]?:',
  }),
);

/** Where and how the jobs of a queue are delivered (specification, "EndpointOptions"). */
export const endpointShape = object('Endpoint', {
  url: required(
    orNull(endpointUrlShape),
    'Where jobs are sent: http or https, without user name or password; null where each job names its own, as the ' +
      'policy of the queue allows (`endpoints`)',
  ),
  method: required(
    inAnyCase(oneOf(...ENDPOINT_METHODS)),
    'The method of the calls: in any case, kept in lower case',
  ),
  timeout: optional(callTimeoutShape, 'Longest duration of a whole call, in milliseconds'),
  body: optional(
    oneOf(...ENDPOINT_BODIES),
    'The body of a call: {job, token} unless given, else the data of the job, or nothing',
  ),
  success: optional(
    successShape,
    'The statuses of answers that complete a job: ["200-209"] unless given',
  ),
  signing: optional(boolean, 'Whether calls are signed after Standard Webhooks; not unless given'),
  steps: optional(
    boolean,
    'Whether calls carry the saved steps of their jobs, and an answer 206 saves steps or suspends',
  ),
  accepted: optional(
    oneOf('defer'),
    'The meaning of an answer 202: `defer` leaves the job active, to be completed by its token',
  ),
  deferTimeout: optional(
    callTimeoutShape,
    'Milliseconds in which an accepted job must complete; 3600000 unless given',
  ),
  headers: optional(
    endpointHeadersShape,
    `Headers of every call, which often hold a secret: at most ${MAX_HEADERS} characters of names and values together`,
    'Headers of every call, which often hold a secret',
  ),
});

export type EndpointInput = Shaped<typeof endpointShape>;

/** The endpoint of a worker that passed every rule, with the fields of its record that no answer returns. */
export type WorkerEndpoint = Omit<EndpointInput, 'method'> & {
  readonly method: EndpointMethod;
  /** Present once an endpoint with `signing` is stored. */
  readonly secrets?: SigningSecrets;
};

/** An endpoint that can be called. */
export type Endpoint = WorkerEndpoint & { readonly url: string };

/** The origin that its secrets are sent to; empty for an endpoint without a URL, which sends none. */
export function endpointOrigin({ url }: Pick<WorkerEndpoint, 'url'>): string {
  return url === null ? '' : new URL(url).origin;
}

/** @param input an endpoint of the right shape. */
export function endpointOf(input: EndpointInput): WorkerEndpoint {
  return { ...input, method: input.method.toLowerCase() as EndpointMethod };
}

function isHttpUrl(value: string): boolean {
  const url = value.isWellFormed() ? parsedUrl(value) : undefined;
  if (url === undefined) return false;
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}
