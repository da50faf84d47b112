import type { Callback } from '../../domain/jobs/callback.ts';
import {
  secretTexts,
  withSecretTexts,
  type CalledSecrets,
} from '../../domain/calls/called-secrets.ts';
import type { Destination } from '../../domain/calls/destination.ts';
import type { Policy } from '../../domain/policies/policy.ts';
import type { Subscription } from '../../domain/topics/subscription.ts';
import type { SecretText } from '../../domain/values/secret-text.ts';
import { parsedUrl } from '../../domain/values/parsed-url.ts';
import { valueAt } from '../../domain/values/value-at.ts';
import type { SecretsOfKind } from '../kept/record-secrets.ts';
import type { SecretCipherPort } from '../ports/secret-cipher-port.ts';
import { Sealing } from '../secrets/sealing.ts';

const SECRET = 'callbacks.secret';

type Called = Callback | Destination;

/**
 * Encrypts the header values of callbacks for the origin that they are sent to, whatever job or policy has them: so a job
 * gets those of a policy as they are.
 */
export function callbackSealing(cipher: SecretCipherPort): Sealing<Callback> {
  return calledSealing(cipher, 'callback');
}

/** Encrypts the header values of destinations of jobs for their origins. */
export function destinationSealing(cipher: SecretCipherPort): Sealing<Destination> {
  return calledSealing(cipher, 'endpoint');
}

/** Encrypts what policies hold of callbacks. */
export function policySealing(cipher: SecretCipherPort): Sealing<Policy> {
  const headers = headersAt<Policy>('callback', 'defaults.callback');
  return new Sealing<Policy>(cipher, {
    all: (policy) => {
      const { secret } = policy.callbacks ?? {};
      const own = secret === undefined ? [] : [{ value: secret, field: SECRET }];
      return [...own, ...headers.all(policy)];
    },
    replaced: (policy, change) => {
      const { secret } = policy.callbacks ?? {};
      const own = secret !== undefined && {
        callbacks: { ...policy.callbacks, secret: change({ value: secret, field: SECRET }) },
      };
      return headers.replaced({ ...policy, ...own } as Policy, change);
    },
    placeOf: (policy, field, scope) =>
      field === SECRET ? [`policy:${scope}`, SECRET] : headers.placeOf(policy, field, scope),
  });
}

/** Encrypts the header values of what subscriptions call, as those of their jobs, which get them as they are. */
export function subscriptionSealing(cipher: SecretCipherPort): Sealing<Subscription> {
  const headers = headersAt<Subscription>('opts.callback', 'opts.endpoint', 'endpoint');
  return new Sealing(cipher, headers);
}

function calledSealing<Kept extends Called>(
  cipher: SecretCipherPort,
  kind: 'callback' | 'endpoint',
): Sealing<Kept> {
  return new Sealing<Kept>(cipher, {
    all: (called) => secretTexts(called as CalledSecrets, ''),
    replaced: (called, change) => withSecretTexts(called as CalledSecrets, '', change) as Kept,
    placeOf: (called, field) => placeOf(kind, called, field),
  });
}

/** The header values of what records call, at paths that end with its kind. */
function headersAt<Kept extends object>(...paths: readonly string[]): SecretsOfKind<Kept> {
  const calledAt = (kept: Kept, path: string) =>
    valueAt(path.split('.'), kept as never) as (Called & CalledSecrets) | undefined;
  return {
    all: (kept) => paths.flatMap((path) => secretTexts(calledAt(kept, path) ?? {}, `${path}.`)),
    replaced: (kept, change) =>
      paths.reduce((changed, path) => replacedAt(changed, path.split('.'), path, change), kept),
    placeOf: (kept, field) => {
      const path = paths.find((each) => field.startsWith(`${each}.`)) ?? '';
      const [kind = ''] = path.split('.').slice(-1);
      return placeOf(kind, calledAt(kept, path), field.slice(path.length + 1));
    },
  };
}

/** An object with other header values in what it calls at some keys, which are the end of a path. */
function replacedAt<Holder extends object>(
  holder: Holder,
  [name = '', ...rest]: readonly string[],
  path: string,
  change: (secret: SecretText) => string,
): Holder {
  const inner = (holder as Readonly<Record<string, object | undefined>>)[name];
  if (inner === undefined) return holder;
  const replaced =
    rest.length > 0
      ? replacedAt(inner, rest, path, change)
      : withSecretTexts(inner as CalledSecrets, `${path}.`, change);
  return { ...holder, [name]: replaced };
}

/** Binds a value to its header and to the origin that is called. */
function placeOf(kind: string, called: Called | undefined, field: string): readonly string[] {
  const url = called !== undefined && 'url' in called ? called.url : '';
  return [kind, field, parsedUrl(url)?.origin ?? ''];
}
