import { invalidRequest } from '../errors.ts';
import type { NamedAccess } from '../values/admission-in-words.ts';
import { parsedUrl } from '../values/parsed-url.ts';
import {
  bounded,
  listOf,
  nonEmpty,
  object,
  optional,
  required,
  text,
  type Shaped,
} from '../values/shape.ts';
import { Caller, type CallerSession } from './caller.ts';
import { filled, rulesField } from './token-issuer.ts';

/** Milliseconds after which a sign-in ends at the latest (further contract, section 25). */
export const SIGN_IN_LIFE = 8 * 3_600_000;

/** Milliseconds that a person has for one try to sign in. */
export const TRY_LIFE = 600_000;

/** How many tries the addresses of one part have within TRY_LIFE, and how many parts the addresses are in. */
export const MOST_TRIES = 500;
export const TRY_PARTS = 64;

/** The longest time (ms) between two lookups of rights. */
const LOOKUP_INTERVAL = 3_600_000;

/** The path of the redirect URI, below the public URL. */
export const CALLBACK_PATH = '/sign-in/callback';

/** The scopes that are asked for unless the file names others. */
export const USUAL_SCOPES = ['openid', 'email', 'groups'];

/** As URLs have them. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

const issuerUrl = text('be an https URL, or an http URL of a loopback address', (value) => {
  const { protocol = '', hostname = '', search = '', hash = '' } = parsedUrl(value) ?? {};
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
  return isSafe && search === '' && hash === '';
});

const scope = text('be a word', (value) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value));

/** Where a person goes after the sign-in. */
export const targetShape = text(
  'be a path of this origin, such as /dashboard',
  (path) => path.startsWith('/') && path.length <= 2000,
  { pattern: '^/', maxLength: 2000 },
);

/** How people sign in (further contract, section 25). */
export const signInFileShape = object('SignInFile', {
  issuer: required(issuerUrl, 'The OpenID Connect provider'),
  clientId: required(filled, 'The id of jobgate there'),
  clientSecret: optional(filled, 'Its secret; none for a public client'),
  scopes: optional(
    bounded(50, nonEmpty(listOf(scope), 'be an array of scopes, not empty')),
    'The scopes that are asked for; openid, email and groups unless given',
  ),
  rules: rulesField,
});

export type SignInFile = Shaped<typeof signInFileShape>;

export type SignInSettings = SignInFile & { readonly scopes: readonly string[] };

/** What a session knows of the sign-in that opened it. */
export interface SignedIn extends NamedAccess {
  readonly issuer: string;
  /** Identifies the person at the issuer. */
  readonly subject: string;
  /** Absent without a refresh token: then the rights stay. */
  readonly lookup?: RightsLookup;
}

/** The next lookup of the rights of a person. */
export interface RightsLookup {
  /** Sealed with the cookie of the session, which the store does not have. */
  readonly refreshToken: string;
  /** When it is due, epoch ms. */
  readonly at: number;
  /** When a replica began it, epoch ms; absent unless one is at it. */
  readonly since?: number;
}

/** When rights are looked up again. @param expiresIn how long (ms) the issuer vouches for them. */
export function nextLookup(now: number, expiresIn: number): number {
  return now + Math.max(1000, Math.min(expiresIn, LOOKUP_INTERVAL));
}

/** The person who signed in. @param session undefined as long as it is not open. */
export function personOf(
  { issuer, subject, ...access }: SignedIn,
  session?: CallerSession,
): Caller {
  const id = `sign-in:${issuer}:${subject}`;
  const expires = session ? session.createdAt + SIGN_IN_LIFE : null;
  const facts = { ...access, id, keySpace: id, expires, subject };
  return new Caller({ ...facts, via: 'sign-in', ...(session && { session }) });
}

/**
 * The URL of a path of this origin.
 *
 * @throws DomainError `invalid-request` for anything that leads elsewhere.
 */
export function targetUrl(path: string, publicUrl: string): string {
  const { origin } = new URL(publicUrl);
  // Browsers take some paths for another host, such as //host and /\host.
  const target = targetShape.accepts(path) ? parsedUrl(path, origin) : undefined;
  if (target?.origin === origin) return target.href;
  throw invalidRequest(`to must ${targetShape.must}`, 'to');
}
