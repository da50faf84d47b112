import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { collectNow } from './collect-now.ts';

/** The heap of a process, or one like it. Sizes are bytes. */
export interface Heap {
  readonly limit: number;
  /** The size of what is in use, and of the garbage that has not been collected. */
  used(): number;
  /**
   * Collects all garbage before it returns, unless it did so shortly before: V8 ends a process whose heap is 80 % full when
   * it does little but collect.
   *
   * @returns whether it did.
   */
  collect(): boolean;
  /** When (as performance.now) it will collect again. */
  readonly restsUntil: number;
  /** @param listener is called soon after each full collection that `collect` did not cause. @returns what ends it. */
  onCollected(listener: () => void): () => void;
}

/** The memory (bytes) that heap_size_limit counts for new objects: three semi-spaces of the default size of V8. */
const YOUNG = 3 * (Number(process.versions.node.split('.')[0]) < 24 ? 16 : 64) * 1_048_576;

const SEMI_SPACE = /--max[-_]semi[-_]space[-_]size[= ](\d+)/g;

/** The details of an entry of the type "gc". */
interface Collection {
  readonly detail: { readonly kind: number; readonly flags: number };
}

/** How long (ms) a measurement of what is in use is good: it takes 2 us, and a process adds some MB in that time at most. */
const FRESH = 1;

/** How many times as long as a collection took none follows. */
const REST = 4;

let restsUntil = 0;

/** The heap of V8 in this process. */
export class ProcessHeap implements Heap {
  /** What --max-old-space-size gives: V8 gives up there, although heap_size_limit has room for new objects above it. */
  readonly limit = getHeapStatistics().heap_size_limit - youngSize();

  #used = 0;
  #measuredAt = -Infinity;

  used(): number {
    const now = performance.now();
    if (now - this.#measuredAt > FRESH) {
      this.#measuredAt = now;
      this.#used = getHeapStatistics().used_heap_size;
    }
    return this.#used;
  }

  get restsUntil(): number {
    return restsUntil;
  }

  collect(): boolean {
    const before = performance.now();
    if (before < restsUntil) return false;
    collectNow();
    this.#measuredAt = -Infinity;
    const after = performance.now();
    restsUntil = after + REST * (after - before);
    return true;
  }

  onCollected(listener: () => void): () => void {
    const observer = new PerformanceObserver((list) => {
      const entries = list.getEntries() as unknown as readonly Collection[];
      if (entries.some(isOwn)) listener();
    });
    observer.observe({ entryTypes: ['gc'] });
    return () => {
      observer.disconnect();
    };
  }
}

/** Whether V8 collected all garbage of its own accord. */
function isOwn({ detail: { kind, flags } }: Collection): boolean {
  return (
    kind === constants.NODE_PERFORMANCE_GC_MAJOR &&
    (flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) === 0
  );
}

function youngSize(): number {
  const options = [process.env['NODE_OPTIONS'] ?? '', ...process.execArgv].join(' ');
  const megabytes = [...options.matchAll(SEMI_SPACE)].at(-1)?.[1];
  return megabytes === undefined ? YOUNG : 3 * Number(megabytes) * 1_048_576;
}
