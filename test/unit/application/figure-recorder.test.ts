import { expect } from 'chai';
import { Rounds } from '../../../src/application/running/rounds.ts';
import { FigureRecorder } from '../../../src/application/figures/figure-recorder.ts';
import type { CountedQueue } from '../../../src/application/ports/figures-port.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryQueueHarness } from '../../support/memory-queue-harness.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const QUEUE = queueNamed('mail');

describe('FigureRecorder', () => {
  let clock: FakeClock;
  let recorder: FigureRecorder;
  let rounds: Rounds;
  let saved: CountedQueue[];
  let totals: number;
  let isAway: boolean;

  beforeEach(async () => {
    clock = new FakeClock();
    await clock.advance(60_000 - (clock.now() % 60_000));
    [saved, totals, isAway] = [[], 0, false];
    const { figures } = memoryQueueHarness('test', clock);
    const store = {
      ...figures,
      save: (counted: CountedQueue) => {
        if (isAway) return Promise.reject(storeUnavailable(new Error('gone')));
        // The counters go on counting.
        saved.push(structuredClone(counted));
        return Promise.resolve();
      },
      saveTotal: () => {
        if (isAway) return Promise.reject(storeUnavailable(new Error('gone')));
        totals += 1;
        return Promise.resolve();
      },
    };
    recorder = new FigureRecorder(store, 'here', 'host:1', clock, silentLogger);
    rounds = new Rounds(recorder, clock, silentLogger);
    await rounds.start();
    await clock.advance(0);
  });

  afterEach(() => rounds.stop());

  const add = (jobs: number): void => recorder.observe({ kind: 'added', queue: QUEUE, jobs });

  const added = (): readonly (readonly [at: number, minute: number, hour: number])[] =>
    saved.map(({ minute, hour }) => [
      minute.at,
      minute.figures.counts.added,
      hour.figures.counts.added,
    ]);

  // holds: figures.cost
  it('writes its counts every eight seconds, and only new ones', async () => {
    const now = clock.now();
    for (let each = 0; each < 1000; each += 1) add(2);
    await clock.advance(7999);
    expect(saved).to.have.length(0);
    await clock.advance(1);
    expect(added()).to.deep.equal([[now, 2000, 2000]]);
    await clock.advance(24_000);
    expect(saved).to.have.length(1);
    add(1);
    await clock.advance(8000);
    expect(added().slice(1)).to.deep.equal([[now, 2001, 2001]]);
  });

  // holds: figures.gaps
  it('records that it counted, even if nothing happened', async () => {
    const before = totals;
    await clock.advance(60_000);
    expect(totals).to.be.greaterThan(before);
    expect(saved).to.have.length(0);
  });

  it('adds up the minutes of an hour', async () => {
    const now = clock.now();
    add(1);
    await clock.advance(60_001);
    add(2);
    await clock.advance(60_000);
    add(3);
    await recorder.flush(QUEUE);
    expect(added().at(-1)).to.deep.equal([now + 120_000, 3, 6]);
  });

  // holds: erase.places
  it('forgets why jobs failed, in one queue or in all, but not how many', async () => {
    const fail = (reason: string): void => {
      recorder.observe({ kind: 'failed', queue: QUEUE, jobs: [{ id: '1', reason }] });
    };
    fail('no ada-17');
    recorder.forget(queueNamed('other'));
    await recorder.flush(QUEUE);
    expect(saved.at(-1)?.failures).to.have.length(1);
    for (const queue of [QUEUE, undefined]) {
      fail('no ada-17');
      recorder.forget(queue);
      fail('it broke');
      await recorder.flush(QUEUE);
      expect(JSON.stringify(saved.at(-1))).not.to.include('ada-17');
    }
    expect(saved.at(-1)?.minute.figures.counts.failed).to.equal(5);
  });

  it('keeps its counts while the store is away, and writes them when it is back', async () => {
    const now = clock.now();
    isAway = true;
    add(1);
    await clock.advance(60_001);
    add(2);
    await clock.advance(30_000);
    isAway = false;
    await clock.advance(10_000);
    expect(added()).to.deep.equal([
      [now, 1, 1],
      [now + 60_000, 2, 3],
    ]);
  });
});
