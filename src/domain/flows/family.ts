import type { JobState } from '../jobs/job-status.ts';
import type { FailureRule } from './flow.ts';

/** The state of a parent when one of its children ends. */
export interface Parent {
  readonly state: JobState;
  /** How many children it waits for, including the one that ended. */
  readonly waitsFor: number;
}

/** How an ended child counts for its parent, which no longer waits for it. */
export type ChildEnding = 'completed' | 'failed';

/**
 * What happens to a parent: it `stays` where it is, `starts` because it no longer waits for any child, `is-due`
 * although its delay is not over, or is `removed`.
 */
export type ParentMove = 'stays' | 'starts' | 'is-due' | 'removed';

export interface AfterChild {
  /** Absent when the parent keeps waiting: the child may be retried and then complete. */
  readonly ending?: ChildEnding;
  readonly parent: ParentMove;
  /** Whether the next attempt of the parent must end in failure. */
  readonly mustFail?: boolean;
}

/**
 * The effect of the end of a child on the parent that waits for it.
 *
 * @param rule the child's rule for its failure.
 */
export function afterChildEnded(
  parent: Parent,
  status: 'completed' | 'failed',
  rule: FailureRule,
): AfterChild {
  if (status === 'completed') return { ending: 'completed', parent: unlessWaiting(parent) };
  switch (rule) {
    case 'wait':
      return { parent: 'stays' };
    case 'ignore':
      return { ending: 'failed', parent: unlessWaiting(parent) };
    case 'continue':
      return { ending: 'failed', parent: ifWaiting(parent.state) };
    case 'fail': {
      const { state } = parent;
      if (state === 'failed') return { ending: 'failed', parent: 'stays' };
      const move = state === 'delayed' ? 'is-due' : ifWaiting(state);
      return { ending: 'failed', parent: move, mustFail: true };
    }
  }
}

/**
 * The effect of the removal of a child on the parent that waits for it. A parent that waits for no other child is
 * removed too if the parent's own queue is being drained.
 */
export function afterChildRemoved(parent: Parent, isOfDrainedQueue: boolean): ParentMove {
  const move = unlessWaiting(parent);
  return move === 'starts' && isOfDrainedQueue ? 'removed' : move;
}

/** A child as its parent knows it: its rule, and its outcome once the parent no longer waits for it. */
export interface KnownChild {
  readonly onFailure: FailureRule;
  readonly ending?: { readonly state: ChildEnding };
}

/** Whether a retried job waits for its children again: some have not ended, and no failed child lets it continue. */
export function waitsAgain(children: readonly KnownChild[]): boolean {
  const letGoOn = children.some(
    ({ ending, onFailure }) => ending?.state === 'failed' && onFailure === 'continue',
  );
  return !letGoOn && children.some(({ ending }) => ending === undefined);
}

function unlessWaiting({ state, waitsFor }: Parent): ParentMove {
  return waitsFor > 1 ? 'stays' : ifWaiting(state);
}

function ifWaiting(state: JobState): ParentMove {
  return state === 'waiting-children' ? 'starts' : 'stays';
}
