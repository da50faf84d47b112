/**
 * The log does not go on where this replica is: it was away for too long, or the database was set back. Its memory is
 * that of no round of the log any more.
 */
export class LogLostError extends Error {
  override readonly name = 'LogLostError';
}
