/** Why a subscription ends whose reader does not take what it is told. */
export class SlowReaderError extends Error {
  override readonly name = 'SlowReaderError';
}
