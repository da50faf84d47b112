/** A command could not do what it should, for a reason that is no mistake in the command line. */
export class Failed extends Error {
  override readonly name = 'Failed';
}
