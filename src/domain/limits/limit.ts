import { invalidRequest } from '../errors.ts';
import { limiterShape } from '../queues/limiter.ts';
import { checkShape } from '../values/check-shape.ts';
import { plainName } from '../values/plain-name.ts';
import { integer, object, optional, type Shaped } from '../values/shape.ts';

/** The most limits that there may be. */
export const MOST_LIMITS = 1000;

/** The most calls that may run at once under a limit. */
const MOST_CONCURRENT = 100_000;

export const limitNameShape = plainName('openai');

/** What queues share whose policies name the limit (further contract, section 23). */
export const limitSettingsShape = object('LimitSettings', {
  concurrency: optional(
    integer(1, MOST_CONCURRENT),
    'How many calls of all its queues may run at once, over all replicas',
  ),
  limiter: optional(limiterShape, 'How many calls of all its queues start in a window of time'),
});

export type LimitSettings = Shaped<typeof limitSettingsShape>;

/** @throws DomainError `invalid-request` naming the field. */
export function checkLimit(name: string, settings: LimitSettings): void {
  checkShape(limitNameShape, name, 'name');
  checkShape(limitSettingsShape, settings, '');
  if (settings.concurrency !== undefined || settings.limiter !== undefined) return;
  throw invalidRequest('concurrency is required without limiter', 'concurrency');
}
