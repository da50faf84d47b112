import { isObject } from './json.ts';
import { enforce, enforceOptional, integer, oneOf, type Rule } from './rule.ts';

export const ENDPOINT_METHODS = ['post', 'get', 'put', 'delete', 'patch'] as const;

export type EndpointMethod = (typeof ENDPOINT_METHODS)[number];

/** Where and how the jobs of a queue are delivered (specification, "EndpointOptions"). */
export interface Endpoint {
  readonly url: string;
  readonly method: EndpointMethod;
  readonly headers?: Readonly<Record<string, string>>;
  /** Longest duration of a whole call, in milliseconds. */
  readonly timeout?: number;
}

/** Header names and values as RFC 9110 has them; anything else could split the request. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** These belong to the connection or to the body that jobgate writes, not to the registration. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
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

/** The longest timer that the platform keeps, a little under 25 days. */
const MAX_TIMEOUT = 2_147_483_647;

export const endpointRules = {
  url: {
    must: 'be a valid http or https URL without user name or password',
    accepts: (value) => typeof value === 'string' && isHttpUrl(value),
  },
  method: oneOf(...ENDPOINT_METHODS),
  headers: {
    must: 'be an object of header names to strings',
    accepts: (value) => isObject(value),
  },
  headerName: {
    must: 'be a header name that may be set for a call',
    accepts: (value) =>
      typeof value === 'string' && HEADER_NAME.test(value) && !OWN_HEADERS.has(value.toLowerCase()),
  },
  headerValue: {
    must: 'be a string of characters that a header may hold',
    accepts: (value) => typeof value === 'string' && HEADER_VALUE.test(value),
  },
  timeout: integer(1, MAX_TIMEOUT),
} as const satisfies Record<string, Rule>;

function isHttpUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

/** @throws DomainError `invalid-request` naming the field under `path`. */
export function checkEndpoint(endpoint: Endpoint, path: string): void {
  enforce({ must: 'be an object', accepts: isObject }, endpoint, path);
  enforce(endpointRules.url, endpoint.url, `${path}.url`);
  enforce(endpointRules.method, endpoint.method, `${path}.method`);
  enforceOptional(endpointRules.timeout, endpoint.timeout, `${path}.timeout`);
  enforceOptional(endpointRules.headers, endpoint.headers, `${path}.headers`);
  for (const [name, value] of Object.entries(endpoint.headers ?? {})) {
    enforce(endpointRules.headerName, name, `${path}.headers.${name}`);
    enforce(endpointRules.headerValue, value, `${path}.headers.${name}`);
  }
}
