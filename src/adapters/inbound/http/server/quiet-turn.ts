import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** A turn of the event loop in which next to nothing happened takes no longer, in milliseconds. */
const QUIET = 0.1;

/** Between two tries, in milliseconds. A process that has slept is the least likely to be interrupted. */
const PAUSE = 3;

/** How long such a turn is waited for, in milliseconds. */
const PATIENCE = 500;

/**
 * Resolves right after a turn of the event loop in which next to nothing happened. What had come by then,
 * connections and requests, is taken: the system resets whom it let in and nobody took when a port closes.
 */
export async function quietTurn(): Promise<void> {
  const latest = performance.now() + PATIENCE;
  for (;;) {
    await sleep(PAUSE);
    const before = performance.now();
    await setImmediate();
    const now = performance.now();
    if (now - before < QUIET || now > latest) return;
  }
}
