import { namePattern } from '../queues/name-pattern.ts';
import {
  anyJson,
  listOf,
  mapOf,
  object,
  optional,
  required,
  string,
  text,
  type Shaped,
} from '../values/shape.ts';
import { configuredAccessFields } from './access-token.ts';

const { name, rights, queues } = configuredAccessFields;

const url = text('be an http or https URL', (value) => /^https?:\/\/[^\s]+$/.test(value));

/** What tokens of an issuer with certain claims may do. */
export const issuerRuleShape = object('IssuerRule', {
  claims: required(
    mapOf(string, string, 'be an object of names of claims and patterns of their values'),
    'Claims that a token must have, in which "*" stands for any characters',
  ),
  name,
  rights,
  queues,
});

/** An issuer whose tokens are accepted (platform contract, section 11). */
export const tokenIssuerShape = object('TokenIssuer', {
  issuer: required(url, 'The claim `iss` of its tokens'),
  audience: required(
    text('be a text that is not empty', (value) => value !== ''),
    'The audience that their claim `aud` must name',
  ),
  jwks: optional(url, 'Where its keys are; its discovery document says it unless given'),
  /** Each is an `IssuerRule`, checked separately so that an error names its position. */
  rules: required(listOf(anyJson), 'The rights of its tokens; the first rule that matches decides'),
});

export type IssuerRule = Shaped<typeof issuerRuleShape>;

export type TokenIssuer = Omit<Shaped<typeof tokenIssuerShape>, 'rules'> & {
  readonly rules: readonly IssuerRule[];
};

export type Claims = Readonly<Record<string, unknown>>;

/** The first rule whose claims the token all has. When a claim has several values, one of them must match. */
export function matchingRule(rules: readonly IssuerRule[], claims: Claims): IssuerRule | undefined {
  return rules.find((rule) =>
    Object.entries(rule.claims).every(([claim, pattern]) => {
      const matches = namePattern(pattern);
      return valuesOf(claims[claim]).some((value) => matches(value));
    }),
  );
}

function valuesOf(claim: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return values.flatMap((value) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [String(value)]
      : [],
  );
}
