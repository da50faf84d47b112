import {
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

export const rulesField = required(
  listOf(issuerRuleShape),
  'The rights by what the issuer says; the first rule that matches decides',
);

export const filled = text('be a text that is not empty', (value) => value !== '');

/** An issuer whose tokens are accepted (platform contract, section 11). */
export const tokenIssuerShape = object('TokenIssuer', {
  issuer: required(url, 'The claim `iss` of its tokens'),
  audience: required(filled, 'The audience that their claim `aud` must name'),
  jwks: optional(url, 'Where its keys are; its discovery document says it unless given'),
  rules: rulesField,
});

export type IssuerRule = Shaped<typeof issuerRuleShape>;

export type TokenIssuer = Shaped<typeof tokenIssuerShape>;

export type Claims = Readonly<Record<string, unknown>>;
