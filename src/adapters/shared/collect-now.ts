import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How often a thread tries to expose the collector: each other thread that does so may hide it from this one once. */
const MOST_TRIES = 100;

let collect: (() => void) | undefined;

/**
 * Has V8 collect all garbage of this thread before it returns, which takes about 1 ms for each MB that is in use. Does
 * nothing in the case that V8 never exposes its collector.
 */
export function collectNow(): void {
  for (let tries = 0; collect === undefined && tries < MOST_TRIES; tries += 1) collect = exposed();
  collect?.();
}

/** The collector; undefined when another thread hid it meanwhile: the flags are those of the process. */
function exposed(): (() => void) | undefined {
  setFlagsFromString('--expose-gc');
  try {
    return runInNewContext('globalThis.gc') as (() => void) | undefined;
  } finally {
    // Node.js reads kept code only under the options under which it was compiled.
    setFlagsFromString('--no-expose-gc');
  }
}
