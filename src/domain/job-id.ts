import type { Rule } from './rule.ts';

/**
 * Names the store keeps for a queue's own keys. A job of that id would overwrite the queue itself,
 * so they are refused in every store: a job must be able to move from one store to another.
 */
const RESERVED_IDS: ReadonlySet<string> = new Set([
  'active',
  'completed',
  'de',
  'delayed',
  'dn',
  'events',
  'failed',
  'id',
  'limiter',
  'marker',
  'meta',
  'metrics',
  'paused',
  'pc',
  'prioritized',
  'priority',
  'repeat',
  'stalled',
  'stalled-check',
  'wait',
  'waiting-children',
]);

export function isReservedJobId(id: string): boolean {
  return RESERVED_IDS.has(id);
}

/** A custom id must never look like an automatic one (digits) nor like another key of the queue. */
export const customJobIdRule: Rule = {
  must: 'be a non-empty string that is not a number, has no ":" and is not a reserved name',
  accepts: (value) =>
    typeof value === 'string' &&
    value !== '' &&
    value.isWellFormed() &&
    !/^-?\d+$/.test(value) &&
    !value.includes(':') &&
    !isReservedJobId(value),
};
