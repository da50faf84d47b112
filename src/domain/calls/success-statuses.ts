import type { Shape } from '../values/shape.ts';

const STATUSES = /^[2-5]\d\d(-[2-5]\d\d)?$/;

/** Maximum number of statuses and ranges in a list, which is searched after each call. */
const MOST = 100;

function isStatuses(value: unknown): boolean {
  return typeof value === 'string' && STATUSES.test(value) && first(value) <= last(value);
}

/** Statuses such as "404", and ranges such as "200-299". */
export const successShape: Shape<readonly string[]> = {
  must: `be an array of 1 to ${MOST} statuses such as "404" and ranges such as "200-299", from 200 to 599`,
  accepts: (value): value is readonly string[] =>
    Array.isArray(value) && value.length >= 1 && value.length <= MOST && value.every(isStatuses),
  schema: {
    type: 'array',
    minItems: 1,
    maxItems: MOST,
    items: { type: 'string', maxLength: 7, pattern: STATUSES.source },
    examples: [['200-299']],
  },
};

/** A list of such statuses. All have three digits, so comparing strings compares numbers. */
export function hasStatus(success: readonly string[], status: number): boolean {
  const text = String(status);
  return success.some((statuses) => first(statuses) <= text && text <= last(statuses));
}

function first(statuses: string): string {
  return statuses.slice(0, 3);
}

function last(statuses: string): string {
  return statuses.slice(-3);
}
