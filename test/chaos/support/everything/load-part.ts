/** One kind of load in a scene, with what it has to show for it at the end. */
export interface LoadPart {
  /** The numbers of the jobs that it tried to add, by queue. Their ids are `job-` and the number. */
  readonly jobs: ReadonlyMap<string, Iterable<number>>;
  /** Adds no more, and resolves when every job has ended and stands in the books. @throws when the books are wrong. */
  settle(): Promise<void>;
  /** Ends what is left of it, however the scene went. */
  close(): Promise<void>;
}
