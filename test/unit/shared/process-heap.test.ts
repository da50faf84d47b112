import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { ProcessHeap } from '../../../src/adapters/shared/process-heap.ts';
import { eventually } from '../../support/eventually.ts';

const SOURCE = new URL('../../../src/adapters/shared/process-heap.ts', import.meta.url);

/** How long (ms) the heap that many tests share rests after a collection, at most. */
const PATIENCE = 60_000;

describe('the heap of a process', () => {
  for (const options of ['', '--max-semi-space-size=8']) {
    it(`ends where V8 gives up ${options}`, () => {
      const program = `import { ProcessHeap } from '${SOURCE.href}'; console.log(new ProcessHeap().limit / 1048576)`;
      const given = ['--max-old-space-size=256', ...options.split(' ').filter(Boolean)];
      const parameters = [...given, '--import=tsx', '--input-type=module', '--eval', program];
      const output = execFileSync(process.execPath, parameters, { encoding: 'utf8' });
      expect(Number(output)).to.equal(256);
    });
  }

  it('has no garbage after a collection, and no other code can ask for one then', async () => {
    const heap = new ProcessHeap();
    const collect = (): Promise<boolean> =>
      eventually('a collection', () => Promise.resolve(heap.collect()), PATIENCE);
    await collect();
    expect(heap.collect()).to.equal(false);
    const before = heap.used();
    // Whatever a function has at hand is no garbage before it returns.
    const waste = (): number => {
      const garbage = Array.from({ length: 200_000 }, (_, index) => ({ index }));
      return heap.used() + (garbage.at(-1)?.index ?? 0);
    };
    expect(waste()).to.be.greaterThan(before + 4_000_000);
    await collect();
    expect(heap.used()).to.be.lessThan(before + 2_000_000);
    expect(globalThis.gc).to.equal(undefined);
  }).timeout(2 * PATIENCE);

  it('says when V8 collected of its own accord', async () => {
    const heap = new ProcessHeap();
    let collections = 0;
    const stop = heap.onCollected(() => (collections += 1));
    try {
      heap.collect();
      await sleep(0);
      expect(collections).to.equal(0);
      const kept: object[] = [];
      await eventually('a collection', () => {
        for (let count = 0; count < 20_000; count += 1) kept.push({ count });
        if (kept.length > 1_000_000) kept.length = 0;
        return Promise.resolve(collections > 0);
      });
    } finally {
      stop();
    }
  });
});
