import { DomainError } from '../errors.ts';
import { namePattern } from '../queues/name-pattern.ts';
import type { Admission, AskedClaim, NamedAccess } from '../values/admission-in-words.ts';
import { excerpt } from '../values/text.ts';
import type { SignInSettings } from './sign-in.ts';
import type { Claims, IssuerRule } from './token-issuer.ts';

/** How many claims are shown, and how many values of each. */
const MOST_CLAIMS = 200;
const MOST_VALUES = 50;

/** No rule matches a person. */
export class NotAdmittedError extends DomainError {
  constructor(readonly admission: Admission) {
    super('forbidden', 'No rule of SIGN_IN_FILE matches what the issuer says of you');
  }
}

/** Values are those of claims that rules ask for, and of no others. */
export function admissionOf(
  { scopes, rules }: Pick<SignInSettings, 'scopes' | 'rules'>,
  claims: Claims,
): Admission {
  return {
    scopes,
    claims: Object.keys(claims).sort().slice(0, MOST_CLAIMS).map(excerpt),
    rules: rules.map((rule) => ({ name: rule.name, asked: askedBy(rule, claims) })),
    match: accessBy(rules, claims) ?? null,
  };
}

/**
 * What the first rule allows whose claims have all arrived; undefined for none. When a claim has several values, one of
 * them must match.
 */
export function accessBy(rules: readonly IssuerRule[], claims: Claims): NamedAccess | undefined {
  const rule = rules.find((each) => askedBy(each, claims).every(({ isMet }) => isMet));
  return rule && { name: rule.name, rights: rule.rights, queues: rule.queues ?? null };
}

function askedBy(rule: IssuerRule, claims: Claims): readonly AskedClaim[] {
  return Object.entries(rule.claims).map(([claim, pattern]) => {
    const values = valuesOf(claims[claim]);
    const isMet = values.some(namePattern(pattern));
    const shown = values.slice(0, MOST_VALUES).map(excerpt);
    return { claim, pattern, isMet, values: Object.hasOwn(claims, claim) ? shown : null };
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
