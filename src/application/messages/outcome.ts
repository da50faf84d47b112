import { DomainError, isFault } from '../../domain/errors.ts';

/** What became of one of several things to do, each by itself. */
export type Outcome =
  { readonly kind: 'done' } | { readonly kind: 'refused'; readonly error: DomainError };

/** Does one of several things. @throws what the service, and not its client, is the cause of. */
export async function outcomeOf(act: () => Promise<void>): Promise<Outcome> {
  try {
    await act();
    return { kind: 'done' };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { kind: 'refused', error };
  }
}

/** Whether an error is about the one thing alone, and the others may succeed. */
export function isRefusal(error: unknown): error is DomainError {
  return error instanceof DomainError && !isFault(error.code);
}
