import { collectNow } from './collect-now.ts';

/** How long (ms) after its start a thread has nothing left to load. */
const STARTED = 2000;

/**
 * Has the garbage of the start of this thread collected, once, which takes 10 to 20 ms. V8 returns the memory that an
 * idle thread does not need, some seconds later, but only after a first full collection, and a thread that only rests
 * never needs one.
 */
export function collectGarbageOfStart(): void {
  setTimeout(collectNow, STARTED).unref();
}
