import { invalidRequest } from '../errors.ts';
import { checkShape } from '../values/check-shape.ts';
import {
  bounded,
  integer,
  listOf,
  nonEmpty,
  nullable,
  object,
  oneOf,
  optional,
  required,
  text,
  type Shape,
  type Shaped,
} from '../values/shape.ts';
import type { Access } from './caller.ts';
import { queuesShape } from './queue-patterns.ts';
import { limitsShape, type TokenLimits } from './token-limits.ts';
import type { Right } from './right.ts';
import { RIGHTS } from '../values/rights.ts';
import { tokenNameShape } from './token-name.ts';

/** How long (ms) the old secret of a token works beside the new one: a day by default, a week at most. */
const USUAL_OVERLAP = 86_400_000;
const LONGEST_OVERLAP = 604_800_000;

/** How many tokens the API makes at most: every replica holds all of them in memory. */
export const MOST_TOKENS = 10_000;

/** How many tokens one token makes at most, with those that they make. */
export const MOST_DESCENDANTS = 1000;

/** How many tokens made one another at most: a request counts against the limits of each. */
export const MOST_ANCESTORS = 4;

/** Every request compares its address with the networks. */
const MOST_ADDRESSES = 100;
const ADDRESS_LENGTH = 100;

/** A secret of a token. The store keeps only its digest. */
export interface TokenSecret {
  /** SHA-256 of the whole token, in lowercase hex. */
  readonly sha256: string;
  /** When the secret expires (epoch ms); null for as long as the token is valid. */
  readonly until: number | null;
}

/** A token that was made through the API (platform contract, section 11). */
export interface AccessToken extends Access {
  readonly id: string;
  readonly name: string;
  /** The first characters of the token with its latest secret, so that people can recognize it. */
  readonly hint: string;
  readonly secrets: readonly TokenSecret[];
  /** Epoch ms; null for a token that never expires. */
  readonly expires: number | null;
  /** The networks that the token works from, in CIDR notation; null for all. */
  readonly addresses: readonly string[] | null;
  /** Absent in records of earlier versions. */
  readonly limits?: TokenLimits | null;
  /** Epoch ms. */
  readonly createdAt: number;
  /** The name of the token that created this one. */
  readonly createdBy: string;
  /**
   * The id of the token that created this one, which is no freer than that and ends with it. Null for a token of the
   * environment's; absent in records of earlier versions.
   */
  readonly parent?: string | null;
}

const rightsShape: Shape<readonly Right[]> = bounded(
  RIGHTS.length,
  nonEmpty(listOf(oneOf(...RIGHTS)), `be an array of rights, at least one of ${RIGHTS.join(', ')}`),
);

const addressesShape: Shape<readonly string[]> = bounded(
  MOST_ADDRESSES,
  nonEmpty(
    listOf(
      text('be a network in CIDR notation', (network) => network.length <= ADDRESS_LENGTH, {
        maxLength: ADDRESS_LENGTH,
      }),
    ),
    'be an array, not empty, of networks in CIDR notation, such as 10.0.0.0/8',
  ),
);

const LIMITS = 'How much it may do in a time; what the service allows to all unless given';
const NAME = 'The purpose of the token; lists and logs show it beside the id';
const EXPIRES = 'When it ends (epoch ms)';
const ADDRESSES = 'From which networks it works, in CIDR notation';

/** The fields of every token, whether a client or a file describes it. */
export const configuredAccessFields = {
  name: required(tokenNameShape, NAME),
  rights: required(rightsShape, 'Its rights'),
  queues: optional(
    queuesShape,
    'For which queues; of several patterns the last that matches counts',
  ),
  expires: optional(integer(0), EXPIRES),
  limits: optional(limitsShape, LIMITS),
  addresses: optional(addressesShape, ADDRESSES),
};

/** The body of a request for a new token. */
export const newTokenShape = object('NewToken', configuredAccessFields);

export type NewToken = Shaped<typeof newTokenShape>;

/** The fields of a token that can change. Its rights and queues cannot, since its users rely on them. */
export const tokenChangesShape = object('TokenChanges', {
  name: optional(tokenNameShape, NAME),
  expires: optional(nullable(integer(0)), `${EXPIRES}; null for never`),
  limits: optional(nullable(limitsShape), LIMITS),
  addresses: optional(nullable(addressesShape), `${ADDRESSES}; null for all`),
});

export type TokenChanges = Shaped<typeof tokenChangesShape>;

export const rotationShape = object('TokenRotation', {
  overlap: optional(
    integer(0, LONGEST_OVERLAP),
    'For how many ms the old secret works beside the new one; a day',
  ),
});

export type Rotation = Shaped<typeof rotationShape>;

/** @throws DomainError `invalid-request` naming the field. */
export function checkNewToken(token: NewToken, now: number): void {
  checkShape(newTokenShape, token, '');
  checkRights(token.rights, 'rights');
  checkEnd(token.expires, now);
}

/** @throws DomainError `invalid-request` naming the field. */
export function checkTokenChanges(changes: TokenChanges, now: number): void {
  checkShape(tokenChangesShape, changes, '');
  checkEnd(changes.expires, now);
}

/**
 * The token with one more secret. The previous secret works until the overlap is over; older ones stop working at once.
 *
 * @throws DomainError `invalid-request` naming the field.
 */
export function rotated(
  token: AccessToken,
  secret: { readonly sha256: string; readonly hint: string },
  { overlap = USUAL_OVERLAP }: Rotation,
  now: number,
): AccessToken {
  checkShape(rotationShape, { overlap }, '');
  const latest = token.secrets.filter(({ until }) => until === null);
  const old = overlap === 0 ? [] : latest.map((each) => ({ ...each, until: now + overlap }));
  return {
    ...token,
    hint: secret.hint,
    secrets: [...old, { sha256: secret.sha256, until: null }],
  };
}

/**
 * Refuses `data` alone, since on its own it gives access to nothing. @throws DomainError `invalid-request` naming the
 * field.
 */
export function checkRights(rights: readonly Right[], field: string): void {
  if (!rights.includes('data') || rights.includes('read') || rights.includes('admin')) return;
  throw invalidRequest(`${field} must have read where they have data`, field);
}

function checkEnd(expires: number | null | undefined, now: number): void {
  if (expires != null && expires <= now) {
    throw invalidRequest('expires must be in the future (epoch ms)', 'expires');
  }
}
