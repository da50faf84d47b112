import { afterChange } from '../../domain/errors.ts';

/**
 * Runs a request whose steps are stored one by one.
 *
 * @param run calls `changed` once one of its steps is stored.
 * @throws whatever it throws; after a change DomainError `store-unavailable` that `mayBeStored`, when the store fails.
 */
export async function inSteps<Answer>(
  run: (changed: () => void) => Promise<Answer>,
): Promise<Answer> {
  const state = { isChanged: false };
  try {
    return await run(() => {
      state.isChanged = true;
    });
  } catch (error) {
    throw state.isChanged ? afterChange(error) : error;
  }
}
