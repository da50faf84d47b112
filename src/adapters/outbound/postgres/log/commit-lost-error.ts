/** The connection broke while a round was committed: the round is stored as a whole or not at all. */
export class CommitLostError extends Error {
  override readonly name = 'CommitLostError';

  constructor(cause: unknown) {
    super('The connection broke while a round was committed', { cause });
  }
}
