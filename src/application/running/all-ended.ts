import { isStoreUnavailable, mayBeStored } from '../../domain/errors.ts';

/**
 * Waits for changes that are made at once, each of which is stored by itself.
 *
 * @param ended receives the answers of those that were made, also when others failed.
 * @returns all answers, in the order of the changes.
 * @throws the error of one that failed: a defect if there is one, then a change that `mayBeStored`.
 */
export async function allEnded<Answer>(
  changes: readonly Promise<Answer>[],
  ended: (answers: readonly Answer[]) => void = () => undefined,
): Promise<readonly Answer[]> {
  const results = await Promise.allSettled(changes);
  const answers = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  ended(answers);
  const errors = results.flatMap((each) =>
    each.status === 'rejected' ? [each.reason as unknown] : [],
  );
  if (errors.length === 0) return answers;
  throw errors.find((error) => !isStoreUnavailable(error)) ?? errors.find(mayBeStored) ?? errors[0];
}
