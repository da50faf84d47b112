/** What can go wrong in the core. Every inbound adapter maps each code to its own protocol. */
export type DomainErrorCode =
  | 'invalid-request'
  | 'unauthorized'
  | 'job-not-found'
  | 'queue-empty'
  | 'worker-not-found'
  | 'store-unavailable';

/** A failure the client is told about. The message is written for the client and names the field. */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly code: DomainErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export function invalidRequest(message: string): DomainError {
  return new DomainError('invalid-request', message);
}

/** The store could not be reached, or refused to work. The cause stays inside the process. */
export function storeUnavailable(cause: unknown): DomainError {
  return new DomainError('store-unavailable', 'The store is unavailable, try again later', {
    cause,
  });
}

export function isStoreUnavailable(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'store-unavailable';
}
