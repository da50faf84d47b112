import { expect } from 'chai';
import type {
  FoundValues,
  RecordGroups,
} from '../../../src/adapters/outbound/memory/records/record.ts';
import {
  ANY,
  addOne,
  claimOf,
  jobOf,
  retryAfter,
  take,
  uniqueQueue,
} from '../../contracts/queue-steps.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { LogInMemory } from '../../support/postgres/log-in-memory.ts';
import { COMPARED, replicasInMemory } from '../../support/postgres/replicas-in-memory.ts';

/** A log that reads steps once `until` resolves. */
class LogWithHeldSteps extends LogInMemory {
  readonly #until: Promise<void>;
  readonly #asked: () => void;

  constructor(until: Promise<void>, asked: () => void) {
    super();
    this.#until = until;
    this.#asked = asked;
  }

  override async find(groups: RecordGroups): Promise<FoundValues> {
    if (groups.flat().some(({ kind }) => kind === 'step')) {
      this.#asked();
      await this.#until;
    }
    return super.find(groups);
  }
}

describe('the steps of a claimed job', () => {
  // holds: store.fair-steps
  it('are read while others have their rounds', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let log: LogInMemory | undefined;
    const asked = new Promise<void>((resolve) => (log = new LogWithHeldSteps(released, resolve)));
    const { queues, attempts, steps, advance } = replicasInMemory(
      'test',
      new FakeClock(),
      undefined,
      log,
    );
    const queue = uniqueQueue();
    await addOne(queues, queue, { attempts: 2 });
    const first = await take(attempts, queue, ANY);
    await steps.save(queue, first, { name: 'charge', value: '17' });
    await attempts.settle(queue, first, retryAfter(0));
    // What is folded is read from its records.
    for (let times = 0; times < COMPARED; times += 1) await advance(1);
    const claim = attempts.claim(queue, { ...claimOf(ANY), wantsSteps: true });
    await asked;
    expect(await queues.add(queue, [jobOf()])).to.have.length(1);
    release();
    const claimed = await claim;
    expect(claimed.kind === 'attempt' && claimed.attempt.steps).to.deep.equal([
      { name: 'charge', value: '17' },
    ]);
  });
});
