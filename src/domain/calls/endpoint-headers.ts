import { invalidRequest } from '../errors.ts';
import { bounded, mapOf, text, type Shape } from '../values/shape.ts';

/** Header names and values as RFC 9110 defines them; anything else could split the request. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The usual servers take no more headers, and none that are longer. */
const MOST_HEADERS = 100;
const MAX_HEADER_NAME = 256;
const MAX_HEADER_VALUE = 16_384;

/** The most characters of all names and values together: some of the usual servers take no more. */
export const MAX_HEADERS = 8192;

/** These control where a request ends, how its body is encoded, or whether the connection stays open. */
const FRAMING_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** These describe the job or prove the origin of the call, so endpoints may rely on them. */
const CALL_HEADERS = /^(jobgate-.*|webhook-(id|timestamp|signature))$/;

/** Whether only jobgate itself may set the header of a call. */
export function isOwnHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return FRAMING_HEADERS.has(lower) || CALL_HEADERS.test(lower);
}

const wellFormed = text(
  'be the name of a header',
  // Assigning `__proto__` would not add a property to an object.
  (name) => HEADER_NAME.test(name) && name !== '__proto__',
  { pattern: HEADER_NAME.source },
);

const left = text('be left out: only jobgate itself may set it', () => false);

const headerName: Shape<string> = {
  ...wellFormed,
  accepts: (name): name is string => wellFormed.accepts(name) && !isOwnHeader(name),
  parts: {
    kind: 'either',
    shapes: [left, wellFormed],
    choose: (name) => (isOwnHeader(String(name)) ? left : wellFormed),
  },
};

const headerValue = text(
  'be a string of Latin-1 characters without control characters',
  (value) => HEADER_VALUE.test(value),
  { pattern: HEADER_VALUE.source },
);

/** @throws DomainError `invalid-request` naming the field, for headers that some of the usual servers would refuse. */
export function checkSizeOfHeaders(headers: Readonly<Record<string, string>>, field: string): void {
  let size = 0;
  for (const [name, value] of Object.entries(headers)) size += name.length + value.length;
  if (size <= MAX_HEADERS) return;
  const must = `must have at most ${MAX_HEADERS} characters of names and values together`;
  throw invalidRequest(`${field} ${must}`, field);
}

/** Headers that a registration adds to every call. Those that jobgate itself sets are refused. */
export const endpointHeadersShape = bounded(
  MOST_HEADERS,
  mapOf(
    bounded(MAX_HEADER_NAME, headerName),
    bounded(MAX_HEADER_VALUE, headerValue),
    'be an object of header names to strings',
  ),
);
