import { callTimeoutShape } from './call-timeout.ts';
import { inAnyCase, mapOf, object, oneOf, optional, required, text, type Shaped } from './shape.ts';

export const ENDPOINT_METHODS = ['post', 'get', 'put', 'delete', 'patch'] as const;

export type EndpointMethod = (typeof ENDPOINT_METHODS)[number];

/** Header names and values as RFC 9110 has them; anything else could split the request. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * These belong to the connection or to the body that jobgate writes, not to the registration; the first is
 * no name that an object keeps.
 */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  '__proto__',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const headers = mapOf(
  text(
    'be a header name that may be set for a call',
    (name) => HEADER_NAME.test(name) && !OWN_HEADERS.has(name.toLowerCase()),
    { pattern: HEADER_NAME.source },
  ),
  text('be a string of characters that a header may hold', (value) => HEADER_VALUE.test(value), {
    pattern: HEADER_VALUE.source,
  }),
  'be an object of header names to strings',
);

/** Where and how the jobs of a queue are delivered (specification, "EndpointOptions"). */
export const endpointShape = object('Endpoint', {
  url: required(
    text('be a valid http or https URL without user name or password', isHttpUrl, {
      examples: ['https://example.com/jobs'],
      pattern: '^[Hh][Tt][Tt][Pp][Ss]?:',
    }),
    'Where jobs are sent: http or https, without user name or password',
  ),
  method: required(
    inAnyCase(oneOf(...ENDPOINT_METHODS)),
    'The method of the calls: in any case, kept in lower case',
  ),
  timeout: optional(callTimeoutShape, 'Longest duration of a whole call, in milliseconds'),
  headers: optional(headers, 'Headers of every call, which often hold a secret'),
});

export type EndpointInput = Shaped<typeof endpointShape>;

/** An endpoint that was checked. */
export type Endpoint = Omit<EndpointInput, 'method'> & { readonly method: EndpointMethod };

/** @param input an endpoint of the right shape. */
export function endpointOf(input: EndpointInput): Endpoint {
  return { ...input, method: input.method.toLowerCase() as EndpointMethod };
}

function isHttpUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}
