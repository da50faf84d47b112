import { setImmediate } from 'node:timers/promises';

/** A turn of the event loop in which next to nothing happened takes no longer, in milliseconds. */
const QUIET = 0.1;

/** How long such a turn is waited for, in milliseconds. */
const PATIENCE = 200;

/**
 * Resolves right after a turn of the event loop in which next to nothing happened. What had come by then,
 * connections and requests, is taken: a port that closes now refuses hardly anybody who was let in.
 */
export async function quietTurn(): Promise<void> {
  const latest = performance.now() + PATIENCE;
  for (;;) {
    const before = performance.now();
    await setImmediate();
    const now = performance.now();
    if (now - before < QUIET || now > latest) return;
  }
}
