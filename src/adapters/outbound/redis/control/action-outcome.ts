import type { ActionOutcome } from '../../../../domain/jobs/job-actions.ts';
import type { JobState } from '../../../../domain/jobs/job-status.ts';
import { HELD_BELOW, IS_REDACTED, NEXT_OF_SCHEDULER } from '../lua/answers.ts';

/** What a guarded script did, according to its answer. */
export function actionOutcome(answer: unknown): ActionOutcome {
  if (answer === null) return { kind: 'missing' };
  if (typeof answer === 'string') return { kind: 'refused', state: answer as JobState };
  if (answer === HELD_BELOW) return { kind: 'needed', by: 'attempt' };
  if (answer === NEXT_OF_SCHEDULER) return { kind: 'needed', by: 'scheduler' };
  if (answer === IS_REDACTED) return { kind: 'redacted' };
  return { kind: 'done' };
}
