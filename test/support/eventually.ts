import { setTimeout as sleep } from 'node:timers/promises';

/** How long (ms) it waits between two questions, at first and at most. */
const [SHORTEST, LONGEST] = [5, 50];

/** The part of the time so far that the next wait takes: who asks without a pause takes what the answer waits for. */
const PART = 0.1;

/**
 * Asks again until the answer is something, for what a process reports only on request.
 *
 * @param timeout in milliseconds
 * @throws Error naming what did not happen.
 */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  timeout = 15_000,
): Promise<T> {
  const begin = Date.now();
  const deadline = begin + timeout;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`Not within ${timeout} ms: ${what}`);
    await sleep(Math.min(LONGEST, SHORTEST + (Date.now() - begin) * PART));
  }
}
