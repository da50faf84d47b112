import type { RIGHTS } from './rights.ts';

/** What a rule allows, with its name. */
export interface NamedAccess {
  readonly name: string;
  readonly rights: readonly (typeof RIGHTS)[number][];
  /** Null for all queues. */
  readonly queues: readonly string[] | null;
}

/** What a rule asks of a claim. */
export interface AskedClaim {
  readonly claim: string;
  readonly pattern: string;
  readonly isMet: boolean;
  /** Null for a claim that did not arrive. */
  readonly values: readonly string[] | null;
}

/** Why a person may come in, or may not (further contract, section 25). */
export interface Admission {
  /** The scopes that the issuer is asked for. */
  readonly scopes: readonly string[];
  /** The names of the claims that arrived. */
  readonly claims: readonly string[];
  readonly rules: readonly { readonly name: string; readonly asked: readonly AskedClaim[] }[];
  /** The first rule that matches; null for none. */
  readonly match: NamedAccess | null;
}

/** What became of a claim that a rule asks for, such as `did not arrive`. */
export function claimInWords({ isMet, values }: AskedClaim): string {
  if (isMet) return 'matches';
  if (values === null) return 'did not arrive';
  return values.length === 0 ? 'arrived without a value' : `is ${values.join(', ')}`;
}
