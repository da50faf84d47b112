import { DomainError } from '../errors.ts';
import { namePattern } from '../queues/name-pattern.ts';
import { excerpt } from '../values/text.ts';
import type { Claims, IssuerRule } from './token-issuer.ts';

/** How many claims are shown, and how many values of each. */
const MOST_CLAIMS = 200;
const MOST_VALUES = 50;

/** A claim that arrived. */
export interface ArrivedClaim {
  readonly name: string;
  /** Absent for a claim that no rule asks for: its values are not shown. */
  readonly values?: readonly string[];
}

/** What a rule asks of a claim. */
export interface AskedClaim {
  readonly claim: string;
  readonly pattern: string;
  readonly isMet: boolean;
  readonly hasArrived: boolean;
}

/** Why a person may come in, or may not (further contract, section 25). */
export interface Admission {
  readonly claims: readonly ArrivedClaim[];
  readonly rules: readonly { readonly name: string; readonly asked: readonly AskedClaim[] }[];
  /** The first rule that matches. */
  readonly rule: IssuerRule | undefined;
}

/** No rule matches a person. */
export class NotAdmittedError extends DomainError {
  constructor(readonly admission: Admission) {
    super('forbidden', 'No rule of SIGN_IN_FILE matches what the issuer says of you');
  }
}

export function admissionOf(rules: readonly IssuerRule[], claims: Claims): Admission {
  const asked = new Set(claimsAskedFor(rules));
  return {
    claims: Object.keys(claims)
      .sort()
      .slice(0, MOST_CLAIMS)
      .map((name) => ({
        name: excerpt(name),
        ...(asked.has(name) && {
          values: valuesOf(claims[name]).slice(0, MOST_VALUES).map(excerpt),
        }),
      })),
    rules: rules.map((rule) => ({ name: rule.name, asked: askedBy(rule, claims) })),
    rule: matchingRule(rules, claims),
  };
}

/** The first rule whose claims have all arrived. When a claim has several values, one of them must match. */
export function matchingRule(rules: readonly IssuerRule[], claims: Claims): IssuerRule | undefined {
  return rules.find((rule) => askedBy(rule, claims).every(({ isMet }) => isMet));
}

/** The names of the claims that rules ask for. */
export function claimsAskedFor(rules: readonly IssuerRule[]): readonly string[] {
  return rules.flatMap((rule) => Object.keys(rule.claims));
}

function askedBy(rule: IssuerRule, claims: Claims): readonly AskedClaim[] {
  return Object.entries(rule.claims).map(([claim, pattern]) => {
    const isMet = valuesOf(claims[claim]).some(namePattern(pattern));
    return { claim, pattern, isMet, hasArrived: Object.hasOwn(claims, claim) };
  });
}

/** Numbers and booleans count as their text. */
function valuesOf(claim: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return values.flatMap((value) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [String(value)]
      : [],
  );
}
