/** What a step of a sweep did. */
export interface SweepStep<Queue> {
  /** How many jobs it acted on. */
  readonly count: number;
  /** The queues that may have more to do, in the order in which they are to be given to the next step. */
  readonly left: readonly Queue[];
}
