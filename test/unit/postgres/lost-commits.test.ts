import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import { STORE_PATIENCE } from '../../../src/application/ports/store-patience.ts';
import type { QueueHarness } from '../../contracts/queue-harness.ts';
import { addOne, countsOf, NO_JOBS, uniqueQueue } from '../../contracts/queue-steps.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { LogInMemory } from '../../support/postgres/log-in-memory.ts';
import { replicasInMemory } from '../../support/postgres/replicas-in-memory.ts';
import { rejection } from '../../support/rejection.ts';

describe('a round of which the commit is slow or lost', () => {
  let log: LogInMemory;
  let replicas: QueueHarness;
  let queue: ReturnType<typeof uniqueQueue>;

  beforeEach(() => {
    log = new LogInMemory();
    replicas = replicasInMemory('test', new FakeClock(), ['host:1', 'host:2'], log);
    queue = uniqueQueue();
  });

  async function waiting(): Promise<unknown> {
    const other = await replicas.replica();
    const both = [replicas, other].map(({ queues }) => countsOf(queues, queue));
    const [here, there] = await Promise.all(both);
    expect(here).to.deep.equal(there);
    return here?.['waiting'];
  }

  // holds: store.not-stored
  it('answers what it stored, however long its commit takes', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      let commit = (): void => undefined;
      log.commitAs({ until: new Promise((resolve) => (commit = resolve)) });
      let isAnswered = false;
      const adding = addOne(replicas.queues, queue).finally(() => (isAnswered = true));
      await turn();
      clock.tick(3 * STORE_PATIENCE);
      await turn();
      expect(isAnswered).to.equal(false);
      commit();
      await adding;
    } finally {
      clock.restore();
    }
    expect(await waiting()).to.equal(1);
  });

  // holds: store.not-stored
  it('answers what it stored, once the next round finds it in the log', async () => {
    log.commitAs({ isAnswered: false });
    const { id } = await addOne(replicas.queues, queue);
    expect((await replicas.queues.find(queue, id))?.id).to.equal(id);
    expect(await waiting()).to.equal(1);
  });

  // holds: store.not-stored
  it('says that nothing is stored, once the next round does not find it in the log', async () => {
    log.commitAs({ isStored: false, isAnswered: false });
    const refused = await rejection(addOne(replicas.queues, queue));
    expect(refused).to.include({ code: 'store-unavailable', mayBeStored: false });
    expect(await countsOf(replicas.queues, queue)).to.deep.equal(NO_JOBS);
    await addOne(replicas.queues, queue);
    expect(await waiting()).to.equal(1);
  });

  for (const isStored of [true, false]) {
    // holds: store.not-stored
    it(`says that it may be stored while no round can begin, and it is ${isStored ? '' : 'not '}stored`, async () => {
      log.commitAs({
        isStored,
        isAnswered: false,
        until: turn().then(() => void (log.isAway = true)),
      });
      const refused = await rejection(addOne(replicas.queues, queue));
      expect(refused).to.include({ code: 'store-unavailable', mayBeStored: true });
      log.isAway = false;
      expect(await waiting()).to.equal(isStored ? 1 : 0);
    });
  }

  // holds: store.not-stored
  it('says of calls that came later that nothing of them is stored', async () => {
    log.isAway = true;
    const refused = await rejection(addOne(replicas.queues, queue));
    expect(refused).to.include({ code: 'store-unavailable', mayBeStored: false });
    log.isAway = false;
    expect(await waiting()).to.equal(0);
  });
});
