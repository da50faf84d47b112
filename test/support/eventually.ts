import { setTimeout as sleep } from 'node:timers/promises';

const INTERVAL = 10;

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
  const deadline = Date.now() + timeout;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`Not within ${timeout} ms: ${what}`);
    await sleep(INTERVAL);
  }
}
