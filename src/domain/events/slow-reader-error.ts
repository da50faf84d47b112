/** The reason for the end of a subscription whose reader is too slow. */
export class SlowReaderError extends Error {
  override readonly name = 'SlowReaderError';
}
