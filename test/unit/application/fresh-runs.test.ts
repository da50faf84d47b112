import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { FreshRuns } from '../../../src/application/running/fresh-runs.ts';
import { rejection } from '../../support/rejection.ts';

describe('FreshRuns', () => {
  /** Runs that the test ends, each with its number. */
  class Scene {
    readonly ends: ((error?: Error) => void)[] = [];
    readonly runs = new FreshRuns<number>(
      () =>
        new Promise((resolve, reject) => {
          const number = this.ends.length + 1;
          this.ends.push((error) => (error === undefined ? resolve(number) : reject(error)));
        }),
    );

    /** Asks for a run, and waits until those that can begin have begun. */
    async ask(key = 'queues'): Promise<{ readonly answer: Promise<number> }> {
      const answer = this.runs.run(key);
      await setImmediate();
      return { answer };
    }

    async end(run: number, error?: Error): Promise<void> {
      this.ends[run - 1]!(error);
      await setImmediate();
    }
  }

  // holds: store.shared-reads
  it('are one for all who ask while another is in progress, after it', async () => {
    const scene = new Scene();
    const first = await scene.ask();
    const others = [await scene.ask(), await scene.ask(), await scene.ask()];
    expect(scene.ends).to.have.lengthOf(1);
    await scene.end(1);
    expect(await first.answer).to.equal(1);
    expect(scene.ends).to.have.lengthOf(2);
    const last = await scene.ask();
    await scene.end(2);
    expect(await Promise.all(others.map(({ answer }) => answer))).to.deep.equal([2, 2, 2]);
    await scene.end(3);
    expect(await last.answer).to.equal(3);
  });

  it('are apart for each key, and begin again after a failure', async () => {
    const scene = new Scene();
    const [one, other] = [await scene.ask('one'), await scene.ask('other')];
    const next = await scene.ask('one');
    const failed = rejection(one.answer);
    await scene.end(1, new Error('away'));
    expect((await failed).message).to.equal('away');
    await scene.end(2);
    expect(await other.answer).to.equal(2);
    await scene.end(3);
    expect(await next.answer).to.equal(3);
  });
});
