import type { SecretText } from '../values/secret-text.ts';
import type { SigningSecrets } from './signing.ts';

/** The secrets of calls: header values, and what signs them. */
export interface CalledSecrets {
  readonly headers?: Readonly<Record<string, string>>;
  readonly secrets?: SigningSecrets;
}

/** @param path of what holds them, such as `endpoint.`; empty for a record itself. */
export function secretTexts(
  { headers = {}, secrets }: CalledSecrets,
  path: string,
): readonly SecretText[] {
  const signing = secrets && [secrets.current, ...secrets.former.map(({ secret }) => secret)];
  return [
    ...Object.entries(headers).map(([name, value]) => ({ value, field: fieldOf(name, path) })),
    ...(signing ?? []).map((value) => ({ value, field: `${path}secrets` })),
  ];
}

/** The same with other texts in place of its secrets. */
export function withSecretTexts<Called extends CalledSecrets>(
  called: Called,
  path: string,
  change: (secret: SecretText) => string,
): Called {
  const { headers, secrets } = called;
  const signing = (value: string): string => change({ value, field: `${path}secrets` });
  return {
    ...called,
    ...(headers && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          change({ value, field: fieldOf(name, path) }),
        ]),
      ),
    }),
    ...(secrets && {
      secrets: {
        current: signing(secrets.current),
        former: secrets.former.map(({ secret, until }) => ({ secret: signing(secret), until })),
      },
    }),
  };
}

function fieldOf(header: string, path: string): string {
  return `${path}headers.${header.toLowerCase()}`;
}

const REDACTED = '[redacted]';

/** Headers in a form that may be shown: their values often hold secrets of the endpoint. */
export function hiddenHeaders(headers: object): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, REDACTED]));
}

/** Headers that authenticate a call. */
const CREDENTIAL_HEADERS = ['jobgate-token', 'webhook-signature'];

/**
 * The headers of a call in a form that may be shown.
 *
 * @param registered the headers of its endpoint, which often hold secrets.
 */
export function shownHeaders(
  headers: Readonly<Record<string, string>>,
  registered: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const names = Object.keys(registered).map((name) => name.toLowerCase());
  const secrets = new Set([...CREDENTIAL_HEADERS, ...names]);
  const shown = Object.entries(headers).map(([name, value]) => [
    name,
    secrets.has(name) ? REDACTED : value,
  ]);
  return Object.fromEntries(shown) as Readonly<Record<string, string>>;
}
