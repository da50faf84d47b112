import { expect } from 'chai';
import { EventLoopTurns } from '../../../src/adapters/inbound/http/messages/event-loop-turns.ts';

describe('Turns of the event loop', () => {
  /** Passes only with `work`. */
  let time = 0;
  const work = (milliseconds: number): void => {
    time += milliseconds;
  };

  // holds: events.give-way
  it('are shared: a few callers continue in each, in order, and others are served in between', async () => {
    const turns = new EventLoopTurns(() => time);
    const done: number[] = [];
    const doneInTurn: number[] = [];
    let isOver = false;
    const count = (): void => {
      doneInTurn.push(done.length);
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all(
      Array.from({ length: 100 }, async (_, number) => {
        await turns.share();
        work(1);
        // The work of one caller may take several microtasks.
        for (let step = 0; step < 10; step += 1) await Promise.resolve();
        done.push(number);
      }),
    );
    isOver = true;
    expect(done).to.deep.equal(Array.from({ length: 100 }, (_, number) => number));
    const most = doneInTurn.map((total, turn) => total - (doneInTurn[turn - 1] ?? 0));
    expect(Math.max(...most)).to.be.within(1, 6);
  });

  it('are not waited for while the current one has room', async () => {
    const turns = new EventLoopTurns(() => time);
    const tick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));
    for (let step = 0; step < 3; step += 1) {
      expect(turns.share()).to.equal(undefined);
      await tick();
      await tick();
    }
    work(10);
    const late = turns.share();
    expect(late).to.be.instanceOf(Promise);
    await late;
  });
});
