import { DomainError, notFound } from '../errors.ts';
import { JOB_STATES, type JobState } from './job-status.ts';

/** The states in which a client may act on a job, by action. Every store uses this table. */
export const ALLOWED_STATES = {
  remove: ['waiting', 'prioritized', 'delayed', 'completed', 'failed', 'waiting-children'],
  removeActive: ['active'],
  promote: ['delayed'],
  retry: ['completed', 'failed'],
  cancel: ['active', 'waiting', 'prioritized', 'delayed', 'waiting-children'],
  changeData: ['waiting', 'prioritized', 'delayed', 'waiting-children'],
  changePriority: ['waiting', 'prioritized'],
  changeDelay: ['delayed'],
  changeCost: ['waiting', 'prioritized', 'delayed', 'waiting-children'],
} as const satisfies Readonly<Record<string, readonly JobState[]>>;

export type JobAction = keyof typeof ALLOWED_STATES;

/** The outcome of an action. Unless it is `done`, nothing was changed. */
export type ActionOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'missing' }
  /** The state of the job does not allow it. */
  | { readonly kind: 'refused'; readonly state: JobState }
  /** Its values are gone, so it cannot start again. */
  | { readonly kind: 'redacted' }
  /** The job must stay regardless of its state: an attempt holds one of its children, or its scheduler needs it. */
  | { readonly kind: 'needed'; readonly by: 'attempt' | 'scheduler' };

/** The states in which all of the actions are allowed. */
export function statesFor(...actions: readonly JobAction[]): readonly JobState[] {
  const allowed = actions.map((action): readonly JobState[] => ALLOWED_STATES[action]);
  return JOB_STATES.filter((state) => allowed.every((states) => states.includes(state)));
}

/** The states in which an action is allowed, out of the requested ones. */
export function statesWithin(
  action: JobAction,
  wanted: readonly JobState[] = JOB_STATES,
): readonly JobState[] {
  return statesFor(action).filter((state) => wanted.includes(state));
}

const NEEDED = {
  attempt: 'A child of the job is active',
  scheduler: 'The job is the next one of a job scheduler',
} as const;

/** @throws DomainError `job-not-found` or `job-conflict` unless the action is done. */
export function checkDone(outcome: ActionOutcome): void {
  switch (outcome.kind) {
    case 'done':
      return;
    case 'missing':
      throw notFound('job');
    case 'refused':
      throw new DomainError('job-conflict', `Job is ${outcome.state}`);
    case 'redacted':
      throw new DomainError('job-conflict', 'Job is redacted');
    case 'needed':
      throw new DomainError('job-conflict', NEEDED[outcome.by]);
  }
}
