import { invalidRequest } from './errors.ts';
import { excerpt } from './text.ts';

/**
 * What one field must be. `must` completes the sentence "<field> must ..." and is the message a
 * client reads, so a rule is written once and every edge that checks it says the same.
 */
export interface Rule {
  readonly must: string;
  readonly accepts: (value: unknown) => boolean;
}

/** @throws DomainError `invalid-request` that names the field when the value breaks the rule. */
export function enforce(rule: Rule, value: unknown, path: string): void {
  if (!rule.accepts(value)) throw invalidRequest(`${excerpt(path)} must ${rule.must}`, path);
}

/** Like {@link enforce}, for a field that may be absent. */
export function enforceOptional(rule: Rule, value: unknown, path: string): void {
  if (value !== undefined) enforce(rule, value, path);
}

export function integer(least: number, most = Number.MAX_SAFE_INTEGER): Rule {
  const range =
    most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return {
    must: `be an integer ${range}`,
    accepts: (value) =>
      Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
  };
}

export function oneOf(...values: readonly string[]): Rule {
  const list = `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
  return {
    must: `be ${list}`,
    accepts: (value) => typeof value === 'string' && values.includes(value),
  };
}

export const boolean: Rule = {
  must: 'be true or false',
  accepts: (value) => typeof value === 'boolean',
};
