import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How long (ms) after its start a thread has nothing left to load. */
const STARTED = 2000;

/**
 * Has the garbage of the start of this thread collected, once, which takes 10 to 20 ms. V8 returns the memory that an
 * idle thread does not need, some seconds later, but only after a first full collection, and a thread that only rests
 * never needs one.
 */
export function collectGarbageOfStart(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc');
    runInNewContext('globalThis.gc?.()');
    // Node.js reads kept code only under the options under which it was compiled.
    setFlagsFromString('--no-expose-gc');
  }, STARTED).unref();
}
