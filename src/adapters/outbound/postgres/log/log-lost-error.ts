/**
 * The memory of this replica is that of no round of the log any more: it was away for too long, the database was set
 * back, or what its own steps changed cannot be written.
 */
export class LogLostError extends Error {
  override readonly name = 'LogLostError';
}
