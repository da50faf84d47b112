import type { JobState } from '../jobs/job-status.ts';
import type { FailureRule } from './flow.ts';

/** A parent as the end of a child finds it. */
export interface Parent {
  readonly state: JobState;
  /** How many children it waits for, that one included. */
  readonly waitsFor: number;
}

/** How a child that ended counts for its parent, which no longer waits for it. */
export type ChildEnding = 'completed' | 'failed';

/**
 * What becomes of a parent: it `stays` where it is, `starts` since it waits for no child any more, `is-due` although its
 * delay is not over, or is `removed`.
 */
export type ParentMove = 'stays' | 'starts' | 'is-due' | 'removed';

export interface AfterChild {
  /** Absent when the parent waits on: the child may be retried and then complete. */
  readonly ending?: ChildEnding;
  readonly parent: ParentMove;
  /** Whether the next attempt of the parent must end in failure. */
  readonly mustFail?: boolean;
}

/**
 * What the end of a child does to the parent that waits for it.
 *
 * @param rule of the child, for its failure.
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
 * What the removal of a child does to the parent that waits for it. A parent that waits for no other one goes along
 * where its own queue is drained.
 */
export function afterChildRemoved(parent: Parent, isOfDrainedQueue: boolean): ParentMove {
  const move = unlessWaiting(parent);
  return move === 'starts' && isOfDrainedQueue ? 'removed' : move;
}

/** A child as its parent knows it: its rule, and how it counts unless the parent waits for it. */
export interface KnownChild {
  readonly onFailure: FailureRule;
  readonly ending?: { readonly state: ChildEnding };
}

/** Whether a job that is retried waits for its children again: some have not ended, and none has let it go on. */
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
