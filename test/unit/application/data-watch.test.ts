import { expect } from 'chai';
import { Rounds } from '../../../src/application/running/rounds.ts';
import { DataWatch } from '../../../src/application/system/data-watch.ts';
import type { ViewedQueues } from '../../../src/application/queues/queue-view.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';
import { NO_JOBS } from '../../../src/domain/jobs/job-status.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { RecordingLogger } from '../../integration/http/support/recording-logger.ts';

const ROUND = 5000;

/** A store whose data a test replaces. */
class FakeStore {
  readonly #clock: FakeClock;
  id = 'first';
  jobs = 0;
  isAway = false;
  reads = 0;
  latest: ViewedQueues | undefined;

  constructor(clock: FakeClock) {
    this.#clock = clock;
  }

  dataId = (): Promise<string> => this.#answer(this.id);
  queues = (): Promise<ViewedQueues> => this.renewed();

  async renewed(): Promise<ViewedQueues> {
    this.reads += 1;
    const glance = { isPaused: false, suspended: 0, counts: { ...NO_JOBS, waiting: this.jobs } };
    const queues =
      this.jobs === 0 ? [] : [{ queue: queueNamed('mail'), glance, worker: undefined }];
    this.latest = await this.#answer({ at: this.#clock.now(), queues });
    return this.latest;
  }

  #answer<Value>(value: Value): Promise<Value> {
    return this.isAway
      ? Promise.reject(storeUnavailable(new Error('gone')))
      : Promise.resolve(value);
  }
}

describe('The watch over the data of the store', () => {
  let clock: FakeClock;
  let store: FakeStore;
  let logger: RecordingLogger;
  let watch: Rounds;

  beforeEach(async () => {
    clock = new FakeClock();
    store = new FakeStore(clock);
    logger = new RecordingLogger();
    watch = new Rounds(new DataWatch(store, store, clock, logger), clock, logger);
    store.jobs = 3;
    await watch.start();
    await clock.advance(1);
  });
  afterEach(() => watch.stop());

  const numbers = () =>
    logger.lines.map(({ fields }) => {
      const { before, now } = fields as Record<'before' | 'now', { jobs: number }>;
      return [before.jobs, now.jobs];
    });

  // holds: security.emptied-store
  it('warns once for each loss, with what the store held and what it holds now', async () => {
    store.isAway = true;
    await clock.advance(2 * ROUND);
    expect(logger.lines).to.deep.equal([]);
    Object.assign(store, { isAway: false, id: 'second', jobs: 1 });
    await clock.advance(3 * ROUND);
    expect(numbers()).to.deep.equal([[3, 1]]);
    Object.assign(store, { id: 'third', jobs: 0 });
    await clock.advance(3 * ROUND);
    expect(numbers()).to.deep.equal([
      [3, 1],
      [1, 0],
    ]);
  });

  // holds: security.emptied-store
  it('compares with what was there before the loss, though others have looked since', async () => {
    Object.assign(store, { id: 'second', jobs: 0 });
    await store.renewed();
    await clock.advance(ROUND);
    expect(numbers()).to.deep.equal([[3, 0]]);
  });

  // holds: security.emptied-store
  it('is silent about queues that were removed, and reads the queues once a minute', async () => {
    store.jobs = 0;
    await clock.advance(60_000);
    expect(logger.lines).to.deep.equal([]);
    expect(store.reads).to.equal(2);
  });
});
