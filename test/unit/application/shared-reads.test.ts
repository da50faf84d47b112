import { expect } from 'chai';
import { SharedReads } from '../../../src/application/running/shared-reads.ts';
import { rejection } from '../../support/rejection.ts';

describe('SharedReads', () => {
  /** Reads that the test ends, each with its number. */
  class Scene {
    readonly ends: ((error?: Error) => void)[] = [];
    readonly reads = new SharedReads<number>();

    ask(key = 'queues'): Promise<number> {
      return this.reads.run(
        key,
        () =>
          new Promise((resolve, reject) => {
            const number = this.ends.length + 1;
            this.ends.push((error) => (error === undefined ? resolve(number) : reject(error)));
          }),
      );
    }
  }

  // holds: store.shared-reads
  it('run once for all who ask while the same is read, after it', async () => {
    const scene = new Scene();
    const first = scene.ask();
    const others = [scene.ask(), scene.ask(), scene.ask()];
    expect(scene.ends).to.have.lengthOf(1);
    scene.ends[0]!();
    expect(await first).to.equal(1);
    await Promise.resolve();
    expect(scene.ends).to.have.lengthOf(2);
    const last = scene.ask();
    scene.ends[1]!();
    expect(await Promise.all(others)).to.deep.equal([2, 2, 2]);
    await Promise.resolve();
    scene.ends[2]!();
    expect(await last).to.equal(3);
  });

  it('run apart for each key, and again after a failure', async () => {
    const scene = new Scene();
    const [one, other] = [scene.ask('one'), scene.ask('other')];
    const next = scene.ask('one');
    scene.ends[0]!(new Error('away'));
    expect((await rejection(one)).message).to.equal('away');
    scene.ends[1]!();
    expect(await other).to.equal(2);
    await Promise.resolve();
    scene.ends[2]!();
    expect(await next).to.equal(3);
  });
});
