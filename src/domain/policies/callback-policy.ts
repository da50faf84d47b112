import { signingSecretShape } from '../calls/signing.ts';
import { namePattern, PATTERN_LENGTH } from '../queues/name-pattern.ts';
import { parsedUrl } from '../values/parsed-url.ts';
import {
  boolean,
  bounded,
  listOf,
  object,
  optional,
  required,
  text,
  type Shaped,
} from '../values/shape.ts';

/** Each origin is compared with every callback to a URL. */
const MOST_ORIGINS = 100;

/** The most characters of a secret, also of one that is stored encrypted. */
const MOST_SECRET = 1000;

/** Allows every origin: what may be called then is for the guard of outbound calls to say. */
export const ANY_ORIGIN = '*';

const originShape = bounded(
  PATTERN_LENGTH,
  text(
    'be an origin such as https://*.example.com, in which "*" stands for parts of the host name, or "*" for all',
    (origin) => origin === ANY_ORIGIN || originPattern(origin) !== undefined,
    { examples: ['https://*.example.com'] },
  ),
);

const originsShape = bounded(MOST_ORIGINS, listOf(originShape));

/** Where jobs may be called that name their own destination (further contract, section 23). */
export const endpointPolicyShape = object('EndpointPolicy', {
  origins: required(
    originsShape,
    'The origins of destinations that jobs may name: none if it is empty',
  ),
});

export type EndpointPolicy = Shaped<typeof endpointPolicyShape>;

/** Where callbacks of jobs may go (reach contract, section 18). */
export const callbackPolicyShape = object('CallbackPolicy', {
  origins: required(originsShape, 'The origins that callbacks may call: none if it is empty'),
  secret: optional(
    bounded(MOST_SECRET, signingSecretShape),
    'Signs the callbacks after Standard Webhooks; returned only when the service made it, once',
  ),
  signed: optional(
    boolean,
    'Whether a secret signs them; true without a secret keeps the one that is stored, or makes one',
  ),
});

export type CallbackPolicy = Shaped<typeof callbackPolicyShape>;

interface OriginPattern {
  readonly protocol: string;
  readonly port: string;
  readonly isHost: (host: string) => boolean;
}

/** An origin with nothing behind it; `*` is allowed in the name of the host only. */
function originPattern(origin: string): OriginPattern | undefined {
  if (!/^https?:\/\/[^/?#@\\]+$/i.test(origin)) return undefined;
  const url = parsedUrl(origin);
  if (url === undefined || url.hostname === '' || url.username !== '') return undefined;
  const { protocol, port, hostname } = url;
  return { protocol, port, isHost: namePattern(hostname) };
}

/** Whether a policy allows calls to a URL that has the shape of an endpoint's. */
export function allowsOrigin({ origins }: EndpointPolicy, target: string): boolean {
  if (origins.includes(ANY_ORIGIN)) return true;
  const url = parsedUrl(target);
  if (url === undefined || url.username !== '' || url.password !== '') return false;
  return origins.some((origin) => {
    const pattern = originPattern(origin);
    return (
      pattern?.protocol === url.protocol &&
      pattern.port === url.port &&
      pattern.isHost(url.hostname)
    );
  });
}

/** The policy as it may be shown: without its secret. */
export function shownCallbackPolicy({ origins, secret, signed }: CallbackPolicy): CallbackPolicy {
  return { origins, ...((secret !== undefined || signed === true) && { signed: true }) };
}
