import { afterChange } from '../../domain/errors.ts';

/**
 * What follows a change that is stored, and needs the store again. When that fails, the caller must not take the change for
 * one that was refused.
 *
 * @throws DomainError `store-unavailable` that `mayBeStored`.
 */
export async function onceChanged<Answer>(following: Promise<Answer>): Promise<Answer> {
  try {
    return await following;
  } catch (error) {
    throw afterChange(error);
  }
}
