import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Frees what nobody can reach any more, so that what is left can be measured. */
export function collectGarbage(): void {
  collect();
}

/** The bytes of the heap that somebody can reach. */
export function usedHeap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
