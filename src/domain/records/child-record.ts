import type { ChildEnding } from '../flows/family.ts';
import type { FailureRule, JobAddress } from '../flows/flow.ts';

/** A child as its parent knows it. The child may no longer exist. */
export interface Child extends JobAddress {
  /** Its number among the children of the parent, in the order in which they were added. */
  readonly number: number;
  readonly onFailure: FailureRule;
  /** How it ended for its parent; undefined while the parent waits for it. */
  readonly ending?: { readonly state: ChildEnding };
}
