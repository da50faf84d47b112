import { isStoreUnavailable } from '../../domain/errors.ts';
import type { ClockPort } from '../ports/clock-port.ts';

/** Pause (ms) before the store is asked again after an outage. */
export const STORE_PAUSE = 500;

/**
 * Repeats the work while the store is away, no matter how long.
 *
 * @param isNeeded whether the work is still needed.
 * @param work `isRepeated` is true when it was tried before, and may have been done without an answer.
 * @returns undefined when the work is no longer needed.
 * @throws what the work throws, except for outages of the store.
 */
export async function untilStoreAnswers<T>(
  clock: ClockPort,
  isNeeded: () => boolean,
  work: (isRepeated: boolean) => Promise<T>,
): Promise<T | undefined> {
  for (let isRepeated = false; isNeeded(); isRepeated = true) {
    try {
      return await work(isRepeated);
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      await clock.sleep(STORE_PAUSE);
    }
  }
  return undefined;
}
