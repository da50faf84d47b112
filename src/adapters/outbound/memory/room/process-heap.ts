import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { collectNow } from '../../../shared/collect-now.ts';
import type { Heap } from './memory-room.ts';

/** The memory (bytes) that heap_size_limit counts for new objects: three semi-spaces of the default size of V8. */
const YOUNG = 3 * (Number(process.versions.node.split('.')[0]) < 24 ? 16 : 64) * 1_048_576;

const SEMI_SPACE = /--max[-_]semi[-_]space[-_]size[= ](\d+)/g;

/** The details of an entry of the type "gc". */
interface Collection {
  readonly detail: { readonly kind: number; readonly flags: number };
}

/** The heap of V8 in this process. */
export class ProcessHeap implements Heap {
  /** What --max-old-space-size gives: V8 gives up there, although heap_size_limit has room for new objects above it. */
  readonly limit = getHeapStatistics().heap_size_limit - youngSize();

  used(): number {
    return getHeapStatistics().used_heap_size;
  }

  collect(): void {
    collectNow();
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
