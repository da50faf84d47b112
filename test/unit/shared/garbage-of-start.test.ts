import { constants, PerformanceObserver } from 'node:perf_hooks';
import { expect } from 'chai';
import { collectGarbageOfStart } from '../../../src/adapters/shared/garbage-of-start.ts';
import { eventually } from '../../support/eventually.ts';

interface Collection {
  readonly detail: { readonly kind: number; readonly flags: number };
}

describe('the garbage of the start', () => {
  it('is collected by a full collection, and no other code can ask for one then', async () => {
    const kinds: number[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const { detail } of list.getEntries() as unknown as Collection[]) {
        // Nothing else asks for a collection.
        if (detail.flags === constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) kinds.push(detail.kind);
      }
    });
    observer.observe({ entryTypes: ['gc'] });
    collectGarbageOfStart();
    await eventually('a collection', () => Promise.resolve(kinds.length > 0));
    observer.disconnect();
    expect(kinds).to.deep.equal([constants.NODE_PERFORMANCE_GC_MAJOR]);
    expect(globalThis.gc).to.equal(undefined);
  });
});
