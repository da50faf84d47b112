import { DomainError, isFault, isStoreUnavailable, mayBeStored } from '../../domain/errors.ts';

/** What became of one of several things to do, each by itself. */
export type Outcome =
  { readonly kind: 'done' } | { readonly kind: 'refused'; readonly error: DomainError };

/**
 * Does several things at once. Once one of them is done, a failure of the store is the outcome of those that it is about.
 *
 * @throws what the service, and not its client, is the cause of.
 */
export async function outcomesOf(
  acts: readonly (() => Promise<void>)[],
): Promise<readonly Outcome[]> {
  const tried = await Promise.all(
    acts.map(async (act): Promise<Outcome> => {
      try {
        await act();
        return { kind: 'done' };
      } catch (error) {
        if (!isRefusal(error) && !isStoreUnavailable(error)) throw error;
        return { kind: 'refused', error };
      }
    }),
  );
  const failures = tried.flatMap((each) =>
    each.kind === 'refused' && isStoreUnavailable(each.error) ? [each.error] : [],
  );
  const failure = failures.find(mayBeStored) ?? failures[0];
  if (failure !== undefined && tried.every(({ kind }) => kind !== 'done')) throw failure;
  return tried;
}

/** Whether an error is about the one thing alone, and the others may succeed. */
export function isRefusal(error: unknown): error is DomainError {
  return error instanceof DomainError && !isFault(error.code);
}
