/** The reason why a subscription ends: its reader does not take the events. */
export class SlowReaderError extends Error {
  override readonly name = 'SlowReaderError';
}
