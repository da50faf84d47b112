import type { Right } from './right.ts';

/**
 * What an operation requires of its caller: a certain right, any API token or session, an API token in the call itself,
 * the token of the job's attempt, or nothing.
 */
export type RequiredAccess = Right | 'any-token' | 'bearer-token' | 'job-token' | 'nothing';

/** The right that an operation requires, if it requires one. */
export function rightOf(access: RequiredAccess): Right | undefined {
  switch (access) {
    case 'nothing':
    case 'job-token':
    case 'any-token':
    case 'bearer-token':
      return undefined;
    default:
      return access;
  }
}
