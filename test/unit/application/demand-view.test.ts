import { expect } from 'chai';
import { DemandView } from '../../../src/application/queues/demand-view.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';
import { NO_DEMAND, type Demand } from '../../../src/domain/queues/demand.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { rejection } from '../../support/rejection.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

describe('DemandView', () => {
  let clock: FakeClock;
  let view: DemandView;
  let readings: number;
  /** How long (ms) a reading takes. */
  let slowness: number;
  let failure: Error | undefined;

  beforeEach(() => {
    clock = new FakeClock();
    [readings, slowness, failure] = [0, 0, undefined];
    const names = [queueNamed('mail'), queueNamed('gone'), queueNamed('news')];
    const of = async (queues: readonly QueueName[]): Promise<readonly (Demand | undefined)[]> => {
      readings += 1;
      if (failure !== undefined) throw failure;
      await clock.advance(slowness);
      return queues.map((queue) => {
        return queue === 'gone' ? undefined : { ...NO_DEMAND, waiting: readings };
      });
    };
    view = new DemandView({ list: () => Promise.resolve(names) }, { of }, clock);
  });

  // holds: demand.shared
  it('is read once for all who ask at a time, without queues that are gone', async () => {
    slowness = 20;
    const [one, other] = await Promise.all([view.queues(), view.queues()]);
    expect(one).to.equal(other);
    expect(one.map(({ queue, demand }) => [queue, demand.waiting])).to.deep.equal([
      ['mail', 1],
      ['news', 1],
    ]);
    // Shared for ten times as long as it took, from its beginning on.
    await clock.advance(9 * slowness - 1);
    await view.queues();
    expect(readings).to.equal(1);
    await clock.advance(1);
    await view.queues();
    expect(readings).to.equal(2);
  });

  // holds: demand.shared
  it('is read again after a failure, which those who ask are told', async () => {
    failure = storeUnavailable(new Error('away'));
    expect(await rejection(view.queues())).to.equal(failure);
    failure = undefined;
    await view.queues();
    expect(readings).to.equal(2);
  });

  // holds: demand.shared
  it('is not renewed ahead where reading is quick, or nobody asked', async () => {
    expect(await view.round()).to.equal(MINUTE);
    await view.queues();
    expect(await view.round()).to.equal(MINUTE);
    expect(readings).to.equal(1);
  });

  // holds: demand.shared
  it('is renewed ahead for a minute after a request where reading is slow', async () => {
    slowness = 150;
    const { signal } = view.sooner;
    await view.queues();
    expect(signal.aborted).to.equal(true);
    let pause = await view.round();
    expect(pause).to.equal(10 * 150 - 150);
    for (let passed = pause; passed < MINUTE; passed += pause + slowness) {
      await clock.advance(pause);
      pause = await view.round();
    }
    expect(readings).to.be.within(30, 45);
    const before = readings;
    await clock.advance(pause);
    // Whoever asks meanwhile waits for nothing.
    await view.queues();
    expect(readings).to.equal(before);
    for (let passed = 0; passed < MINUTE + SECOND; passed += pause + slowness) {
      await clock.advance(pause);
      pause = await view.round();
    }
    expect(pause).to.equal(MINUTE);
  });
});
