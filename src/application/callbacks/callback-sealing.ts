import type { Callback } from '../../domain/jobs/callback.ts';
import { secretTexts, withSecretTexts } from '../../domain/calls/called-secrets.ts';
import type { Destination } from '../../domain/calls/destination.ts';
import type { Policy } from '../../domain/policies/policy.ts';
import type { SecretText } from '../../domain/values/secret-text.ts';
import { parsedUrl } from '../../domain/values/parsed-url.ts';
import type { SecretCipherPort } from '../ports/secret-cipher-port.ts';
import { Sealing } from '../secrets/sealing.ts';

const SECRET = 'callbacks.secret';

type WithHeaders = Pick<Destination, 'headers'>;

/**
 * Encrypts the header values of callbacks for the origin that they are sent to, whatever job or policy has them: so a job
 * gets those of a policy as they are.
 */
export function callbackSealing(cipher: SecretCipherPort): Sealing<Callback> {
  return new Sealing<Callback>(cipher, {
    all: textsOf,
    replaced: replacedIn,
    placeOf: placeOfHeader,
  });
}

/** Encrypts the header values of destinations of jobs for their origins. */
export function destinationSealing(cipher: SecretCipherPort): Sealing<Destination> {
  return new Sealing<Destination>(cipher, {
    all: (destination) => secretTexts(headersOf(destination), ''),
    replaced: withHeaders,
    placeOf: ({ url }, field) => ['endpoint', field, parsedUrl(url)?.origin ?? ''],
  });
}

/** Encrypts what policies hold of callbacks. */
export function policySealing(cipher: SecretCipherPort): Sealing<Policy> {
  return new Sealing<Policy>(cipher, {
    all: ({ callbacks, callback, defaults }) => [
      ...(callbacks?.secret === undefined ? [] : [{ value: callbacks.secret, field: SECRET }]),
      ...prefixed(callback, 'callback.'),
      ...prefixed(defaults?.callback, 'defaults.callback.'),
    ],
    replaced: replacedInPolicy,
    placeOf: (policy, field, scope) => {
      if (field === SECRET) return [`policy:${scope}`, SECRET];
      const isOfDefaults = field.startsWith('defaults.');
      const callback = isOfDefaults ? policy.defaults?.callback : policy.callback;
      return placeOfHeader(callback, field.slice(field.indexOf('headers.')));
    },
  });
}

function textsOf(callback: Callback): readonly SecretText[] {
  return 'url' in callback ? secretTexts(headersOf(callback), '') : [];
}

function prefixed(callback: Callback | undefined, path: string): readonly SecretText[] {
  const texts = callback === undefined ? [] : textsOf(callback);
  return texts.map(({ value, field }) => ({ value, field: path + field }));
}

function replacedIn(callback: Callback, change: (secret: SecretText) => string): Callback {
  return 'url' in callback ? withHeaders(callback, change) : callback;
}

function withHeaders<Called extends WithHeaders>(
  called: Called,
  change: (secret: SecretText) => string,
): Called {
  if (called.headers === undefined) return called;
  return { ...called, ...withSecretTexts(headersOf(called), '', change) };
}

function headersOf({ headers }: WithHeaders) {
  return headers === undefined ? {} : { headers };
}

function replacedInPolicy(policy: Policy, change: (secret: SecretText) => string): Policy {
  const { callbacks, callback, defaults } = policy;
  const within = (each: Callback, path: string): Callback =>
    replacedIn(each, ({ value, field }) => change({ value, field: path + field }));
  return {
    ...policy,
    ...(callbacks?.secret !== undefined && {
      callbacks: { ...callbacks, secret: change({ value: callbacks.secret, field: SECRET }) },
    }),
    ...(callback && { callback: within(callback, 'callback.') }),
    ...(defaults?.callback && {
      defaults: { ...defaults, callback: within(defaults.callback, 'defaults.callback.') },
    }),
  };
}

function placeOfHeader(callback: Callback | undefined, field: string): readonly string[] {
  const url = callback !== undefined && 'url' in callback ? parsedUrl(callback.url) : undefined;
  return ['callback', field, url?.origin ?? ''];
}
