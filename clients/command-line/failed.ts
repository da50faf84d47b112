/** A command failed for a reason other than an error in the command line. */
export class Failed extends Error {
  override readonly name = 'Failed';

  /** @param code the exit code of the process. */
  constructor(
    message: string,
    readonly code = 1,
  ) {
    super(message);
  }
}
