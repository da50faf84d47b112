import type { Callback } from '../../domain/jobs/callback.ts';
import { secretTexts, withSecretTexts } from '../../domain/calls/called-secrets.ts';
import type { Destination } from '../../domain/calls/destination.ts';
import type { Policy } from '../../domain/policies/policy.ts';
import type { Subscription } from '../../domain/topics/subscription.ts';
import type { SecretText } from '../../domain/values/secret-text.ts';
import { parsedUrl } from '../../domain/values/parsed-url.ts';
import type { SecretCipherPort } from '../ports/secret-cipher-port.ts';
import { Sealing } from '../secrets/sealing.ts';

const SECRET = 'callbacks.secret';

type WithHeaders = Pick<Destination, 'headers'>;
type Called = Callback | Destination;

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
    placeOf: placeOfDestination,
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

/** Encrypts the header values of what subscriptions call, as those of their jobs, which get them as they are. */
export function subscriptionSealing(cipher: SecretCipherPort): Sealing<Subscription> {
  return new Sealing<Subscription>(cipher, {
    all: ({ opts = {}, endpoint }) => [
      ...prefixed(opts.callback, 'opts.callback.'),
      ...prefixed(opts.endpoint, 'opts.endpoint.'),
      ...prefixed(endpoint, 'endpoint.'),
    ],
    replaced: ({ opts, ...subscription }, change) => ({
      ...replacedAt(subscription, 'endpoint', '', change),
      ...(opts && {
        opts: replacedAt(
          replacedAt(opts, 'callback', 'opts.', change),
          'endpoint',
          'opts.',
          change,
        ),
      }),
    }),
    placeOf: ({ opts, endpoint }, field) => {
      const header = field.slice(field.indexOf('headers.'));
      if (field.startsWith('opts.callback.')) return placeOfHeader(opts?.callback, header);
      return placeOfDestination(endpoint ?? opts?.endpoint, header);
    },
  });
}

/** An object with other header values in what it calls by a name. */
function replacedAt<Name extends string, Holder extends { readonly [_ in Name]?: Called }>(
  holder: Holder,
  name: Name,
  path: string,
  change: (secret: SecretText) => string,
): Holder {
  const called = holder[name];
  if (called === undefined) return holder;
  const within = ({ value, field }: SecretText): string =>
    change({ value, field: `${path}${name}.${field}` });
  return { ...holder, [name]: replacedIn(called, within) };
}

function textsOf(callback: Called): readonly SecretText[] {
  return 'url' in callback ? secretTexts(headersOf(callback), '') : [];
}

function prefixed(callback: Called | undefined, path: string): readonly SecretText[] {
  const texts = callback === undefined ? [] : textsOf(callback);
  return texts.map(({ value, field }) => ({ value, field: path + field }));
}

function replacedIn<Replaced extends Called>(
  callback: Replaced,
  change: (secret: SecretText) => string,
): Replaced {
  return 'headers' in callback ? (withHeaders(callback, change) as Replaced) : callback;
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

function placeOfDestination(
  destination: Destination | undefined,
  field: string,
): readonly string[] {
  return ['endpoint', field, parsedUrl(destination?.url ?? '')?.origin ?? ''];
}

function placeOfHeader(callback: Callback | undefined, field: string): readonly string[] {
  const url = callback !== undefined && 'url' in callback ? parsedUrl(callback.url) : undefined;
  return ['callback', field, url?.origin ?? ''];
}
