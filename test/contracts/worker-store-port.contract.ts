import { queueNamed } from '../support/queue-named.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { WorkerStorePort } from '../../src/application/ports/worker-store-port.ts';
import type { Worker } from '../../src/domain/workers/worker.ts';
import { rejection } from '../support/rejection.ts';

/** What the suite needs of a store. One harness serves all its tests. */
export interface WorkerStoreHarness {
  readonly store: WorkerStorePort;

  /** Another replica's adapter on the same record. */
  replica(): Promise<WorkerStorePort>;

  /** Ends the harness and all its replicas. */
  dispose(): Promise<void>;
}

const QUEUE_NAMES = ['ünïcode 日本語 🚀', 'with spaces  in it', '"\'\\/', '{braces}'];

/** @param most how many workers the store may have; the usual number unless given. */
export type WorkerStoreHarnesses = (most?: number) => Promise<WorkerStoreHarness>;

/** What every WorkerStorePort promises. */
export function describeWorkerStorePort(name: string, createHarness: WorkerStoreHarnesses): void {
  describe(`WorkerStorePort: ${name}`, () => {
    let harness: WorkerStoreHarness;
    let store: WorkerStorePort;
    let replica: WorkerStorePort;

    before(async () => {
      harness = await createHarness();
      store = harness.store;
      replica = await harness.replica();
    });

    after(() => harness.dispose());

    it('returns what was saved, here and on another replica', async () => {
      const worker = fullWorker(queueNamed(uniqueQueue()));
      await store.save(worker);
      expect(await store.find(worker.queue)).to.deep.equal(worker);
      expect(await replica.find(worker.queue)).to.deep.equal(worker);
    });

    it('keeps a worker of the fewest fields as it is', async () => {
      const worker = plainWorker(queueNamed(uniqueQueue()));
      await store.save(worker);
      expect(await replica.find(worker.queue)).to.deep.equal(worker);
    });

    // holds: workers.one-per-queue, limits.workers
    it('replaces the worker of a queue as a whole', async () => {
      const queue = uniqueQueue();
      await store.save(fullWorker(queue));
      await replica.save(plainWorker(queue));
      expect(await store.find(queue)).to.deep.equal(plainWorker(queue));
      expect(await saved(store, queue)).to.deep.equal([plainWorker(queue)]);
    });

    it('finds no worker where none was saved', async () => {
      expect(await store.find(queueNamed(uniqueQueue()))).to.equal(undefined);
    });

    it('removes a worker once', async () => {
      const queue = uniqueQueue();
      await store.save(plainWorker(queue));
      expect(await replica.remove(queue)).to.equal(true);
      expect(await store.find(queue)).to.equal(undefined);
      expect(await saved(store, queue)).to.deep.equal([]);
      expect(await store.remove(queue)).to.equal(false);
      expect(await store.remove(queueNamed(uniqueQueue()))).to.equal(false);
    });

    it('saves a worker again after it was removed', async () => {
      const queue = uniqueQueue();
      await store.save(fullWorker(queue));
      await store.remove(queue);
      await store.save(plainWorker(queue));
      expect(await store.find(queue)).to.deep.equal(plainWorker(queue));
    });

    it('returns which queues have a worker, and finds those of several at once', async () => {
      const [full, plain, none] = [uniqueQueue(), uniqueQueue(), uniqueQueue()];
      await store.save(fullWorker(full));
      await store.save(plainWorker(plain));
      const queues = await replica.queues();
      expect(queues).to.include.members([full, plain]);
      expect(queues).not.to.include(none);
      const workers = [plainWorker(plain), fullWorker(full)];
      expect(await replica.findEach([plain, none, full])).to.deep.equal({ workers, invalid: [] });
      expect(await replica.findEach([])).to.deep.equal({ workers: [], invalid: [] });
      await store.remove(full);
      expect(await replica.queues()).not.to.include(full);
      expect(await replica.findEach([full])).to.deep.equal({ workers: [], invalid: [] });
    });

    // holds: record.unchanged
    it('returns the same object for a record that has not changed, and another once it has', async () => {
      const [queue, other] = [uniqueQueue(), uniqueQueue()];
      await store.save(fullWorker(queue));
      await store.save(fullWorker(other));
      const read = async () => (await replica.findEach([queue, other])).workers;
      const [first, second] = await read();
      await store.save(plainWorker(other));
      const [same, changed] = await read();
      expect(same).to.equal(first);
      expect(changed).to.deep.equal(plainWorker(other)).and.not.equal(second);
    });

    // holds: workers.most
    it('refuses a new worker when there are as many as there may be, and no change of one', async () => {
      const small = await createHarness(2);
      const [one, two] = [uniqueQueue(), uniqueQueue()];
      for (const queue of [one, two]) await small.store.save(plainWorker(queue));
      const third = plainWorker(uniqueQueue());
      const other = await small.replica();
      for (const register of [
        () => small.store.save(third),
        () => other.change(third.queue, () => third),
      ]) {
        expect(await rejection(register())).to.include({ code: 'too-many-workers' });
      }
      await small.store.save(fullWorker(one));
      await small.store.change(two, () => fullWorker(two));
      expect(await small.store.queues()).to.have.members([one, two]);
      await small.store.remove(one);
      await small.store.save(third);
      expect(await small.store.queues()).to.have.members([two, third.queue]);
      await small.dispose();
    });

    for (const suffix of QUEUE_NAMES) {
      it(`takes the queue name ${suffix}`, async () => {
        const worker = plainWorker(queueNamed(uniqueQueue() + suffix));
        await store.save(worker);
        expect(await replica.find(worker.queue)).to.deep.equal(worker);
        expect(await saved(replica, worker.queue)).to.deep.equal([worker]);
        expect(await replica.remove(worker.queue)).to.equal(true);
      });
    }

    for (const queue of ['__proto__', 'constructor', 'toString'].map(queueNamed)) {
      it(`takes the queue name ${queue}`, async () => {
        await store.remove(queue);
        expect(await store.find(queue)).to.equal(undefined);
        expect(await store.remove(queue)).to.equal(false);
        await store.save(plainWorker(queue));
        expect(await replica.find(queue)).to.deep.equal(plainWorker(queue));
        expect(await saved(replica, queue)).to.deep.equal([plainWorker(queue)]);
        expect(await replica.remove(queue)).to.equal(true);
      });
    }

    it('changes a worker that is there, and leaves it when nothing is to change', async () => {
      const queue = uniqueQueue();
      const disabled = { since: 1_700_000_000_000, reason: null };
      const disable = (worker?: Worker): Worker | undefined => worker && { ...worker, disabled };
      expect(await store.change(queue, disable)).to.equal(undefined);
      expect(await store.find(queue)).to.equal(undefined);
      const worker = { ...fullWorker(queue), registration: 'one' };
      await store.save(worker);
      expect(await replica.change(queue, disable)).to.deep.equal({ ...worker, disabled });
      expect(await store.find(queue)).to.deep.equal({ ...worker, disabled });
      expect(await saved(store, queue)).to.deep.equal([{ ...worker, disabled }]);
      expect(await store.change(queue, () => undefined)).to.deep.equal({ ...worker, disabled });
      expect(await replica.find(queue)).to.deep.equal({ ...worker, disabled });
    });

    it('leaves a worker as it is when the change refuses', async () => {
      const worker = fullWorker(uniqueQueue());
      await store.save(worker);
      const refusal = new Error('refused');
      const refused = store.change(worker.queue, () => {
        throw refusal;
      });
      expect(await rejection(refused)).to.equal(refusal);
      expect(await replica.find(worker.queue)).to.deep.equal(worker);
    });

    // holds: worker-disabling.old-answer
    it('makes every one of concurrent changes, each of what the one before made', async () => {
      const queue = uniqueQueue();
      await store.save({ ...plainWorker(queue), opts: { concurrency: 1 } });
      const more = (worker?: Worker): Worker | undefined =>
        worker && { ...worker, opts: { concurrency: (worker.opts?.concurrency ?? 0) + 1 } };
      const changes = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? store : replica));
      await Promise.all(changes.map((each) => each.change(queue, more)));
      expect(await store.find(queue)).to.have.nested.property('opts.concurrency', 21);
    });

    // holds: signing.one-winner
    it('shows each of concurrent changes what there is, from none on', async () => {
      const queue = uniqueQueue();
      const seen: (Worker | undefined)[] = [];
      const first = (name: string) => async (each: WorkerStorePort) => {
        const own = { ...plainWorker(queue), registration: name };
        const stored = await each.change(queue, (before) => before ?? own);
        seen.push(stored);
      };
      await Promise.all(
        Array.from({ length: 20 }, (_, i) => first(String(i))(i % 2 === 0 ? store : replica)),
      );
      expect(seen).to.have.lengthOf(20);
      const stored = await store.find(queue);
      for (const each of seen) expect(each).to.deep.equal(stored);
    });

    it('keeps the secrets of signatures', async () => {
      const queue = uniqueQueue();
      const [one, two] = ['1', '2'].map((text) => `whsec_${Buffer.from(text).toString('base64')}`);
      const worker: Worker = {
        ...plainWorker(queue),
        endpoint: {
          ...plainWorker(queue).endpoint,
          signing: true,
          secrets: { current: one!, former: [{ secret: two!, until: 1_700_000_000_000 }] },
        },
      };
      await store.save(worker);
      expect(await replica.find(queue)).to.deep.equal(worker);
      expect(await saved(replica, queue)).to.deep.equal([worker]);
    });

    it('keeps the last of concurrent changes whole', async () => {
      const queue = uniqueQueue();
      const workers = Array.from({ length: 20 }, (_, index) => ({
        ...plainWorker(queue),
        opts: { concurrency: index + 1 },
      }));
      await Promise.all(workers.map((worker, i) => (i % 2 === 0 ? store : replica).save(worker)));
      expect(workers).to.deep.include(await store.find(queue));
      expect(await saved(store, queue)).to.have.lengthOf(1);
    });
  });
}

function uniqueQueue(): QueueName {
  return queueNamed(`test-${randomUUID()}`);
}

function plainWorker(queue: QueueName): Worker {
  return { queue, endpoint: { url: 'http://127.0.0.1:1/', method: 'post' } };
}

function fullWorker(queue: QueueName): Worker {
  return {
    queue,
    endpoint: {
      url: 'https://example.test/hook?a=b#c',
      method: 'put',
      headers: { Authorization: 'Bearer secret', 'X-Tag': '' },
      timeout: 1500,
    },
    opts: {
      concurrency: 7,
      limiter: { max: 3, duration: 1000 },
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 10, age: 3600 },
      maxStalledCount: 0,
    },
  };
}

/** The stored workers of a queue. */
async function saved(store: WorkerStorePort, queue: QueueName): Promise<readonly Worker[]> {
  return (await store.findEach((await store.queues()).filter((each) => each === queue))).workers;
}
