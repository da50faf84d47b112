import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import type { CollectionPort } from '../../src/application/ports/collection-port.ts';
import { ALL_QUEUES } from '../../src/application/kept/policies.ts';
import { MOST_TOPICS, type Subscription } from '../../src/domain/topics/subscription.ts';
import { rejection } from '../support/rejection.ts';
import { describeChangesOfRecords } from './changes-of-records.ts';
import { KINDS_OF_RECORDS, type KindOfRecords } from './kinds-of-records.ts';
import type { QueueHarness } from './queue-harness.ts';
import { addOne, uniqueQueue } from './queue-steps.ts';
import { isVolumePlayedOn } from './played-on.ts';

/** What every CollectionPort promises, for each kind of records. */
export function describeCollectionPort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`CollectionPort: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
    });

    after(() => harness.dispose());

    for (const kind of KINDS_OF_RECORDS) {
      describe(kind.name, () => {
        describeKind(name, kind, () => harness, createHarness);
      });
    }

    describe('listed changes', () => {
      describeChangesOfRecords(() => harness);
    });

    it('keeps the policies of queues and of all queues apart', async () => {
      const { policies } = harness;
      const queue = uniqueQueue();
      await policies.put(queue, () => ({ maxJobSize: 9 }));
      await policies.put(ALL_QUEUES, () => ({ maxJobSize: 5 }));
      const { records } = await policies.list();
      expect(records.get(queue)).to.deep.equal({ maxJobSize: 9 });
      expect(records.get(ALL_QUEUES)).to.deep.equal({ maxJobSize: 5 });
    });

    // holds: topics.ends
    it('lists the subscriptions of a topic, which ends with the last of them', async () => {
      const { subscriptions } = harness;
      const { subscriptions: other } = await harness.replica();
      const topic = randomUUID();
      const places = [`${topic}/one`, `${topic}/two`];
      for (const place of places) await subscriptions.put(place, () => subscription(place));
      await other.put(`${topic}-2/one`, () => subscription('one'));
      expect(await other.ids(topic)).to.have.members(places);
      expect(await subscriptions.ids()).to.include.members([...places, `${topic}-2/one`]);
      await other.remove(`${topic}/one`);
      expect(await subscriptions.ids(topic)).to.deep.equal([`${topic}/two`]);
      await subscriptions.remove(`${topic}/two`);
      expect(await other.ids(topic)).to.deep.equal([]);
    });

    if (isVolumePlayedOn(name)) {
      // holds: topics.bounds
      it('has at most 1,000 topics, and room for another once one ended', async () => {
        const small = await createHarness();
        const { subscriptions: here } = small;
        const { subscriptions: there } = await small.replica();
        const put = (place: string) => there.put(place, () => subscription(place));
        await Promise.all(Array.from({ length: MOST_TOPICS }, (_, i) => put(`topic-${i}/one`)));
        const error = await rejection(put('another/one'));
        expect(error).to.include({ code: 'too-many-topics', message: 'There are 1000 topics' });
        await put('topic-7/two');
        await here.remove('topic-8/one');
        await put('another/one');
        expect(await rejection(put('topic-8/one'))).to.include({ code: 'too-many-topics' });
        await small.dispose();
      });
    }

    // holds: policy.creates
    it('creates the queue of a policy, which stays', async () => {
      const { policies, queueDirectory, queues } = harness;
      const queue = uniqueQueue();
      await policies.put(queue, () => undefined);
      expect(await queueDirectory.glances([queue])).to.deep.equal([undefined]);
      await policies.put(queue, () => ({ maxJobSize: 9 }));
      await policies.remove(queue);
      const [glance] = await queueDirectory.glances([queue]);
      expect(glance).to.include({ isPaused: false });
      expect(await queueDirectory.names()).to.include(queue);
      await addOne(queues, queue);
      await policies.put(queue, () => ({ maxJobSize: 9 }));
      expect(await queueDirectory.names()).to.include(queue);
    });
  });
}

function subscription(id: string): Subscription {
  return { id, queue: uniqueQueue(), onFull: 'refuse', paused: false };
}

function describeKind(
  name: string,
  kind: KindOfRecords<object>,
  harnessOf: () => QueueHarness,
  createHarness: () => Promise<QueueHarness>,
): void {
  let store: CollectionPort<object>;
  let other: CollectionPort<object>;
  let id: string;

  beforeEach(async () => {
    store = kind.in(harnessOf());
    other = kind.in(await harnessOf().replica());
    id = randomUUID();
  });

  const put = (at = id, number = 0): Promise<object | undefined> =>
    store.put(at, () => kind.plain(at, number));

  const listed = async (each: CollectionPort<object>): Promise<object | undefined> =>
    (await each.list()).records.get(id);

  // holds: workers.one-per-queue, limits.workers
  it('keeps records as they are, for all replicas', async () => {
    expect(await store.put(id, () => kind.full(id))).to.deep.equal(kind.full(id));
    expect(await other.find(id)).to.deep.equal(kind.full(id));
    expect(await listed(other)).to.deep.equal(kind.full(id));
    await other.put(id, () => kind.plain(id, 3));
    expect(await store.find(id)).to.deep.equal(kind.plain(id, 3));
    expect(await listed(store)).to.deep.equal(kind.plain(id, 3));
  });

  it('lists all records, or the ones with some ids in the order of these', async () => {
    const [one, two, none] = [randomUUID(), randomUUID(), randomUUID()];
    for (const each of [one, two]) await put(each);
    expect(await other.ids()).to.include.members([one, two]);
    const { records, invalid } = await other.list([two, none, one]);
    expect([...records]).to.deep.equal([two, one].map((each) => [each, kind.plain(each, 0)]));
    expect(invalid.size).to.equal(0);
    expect((await other.list([])).records.size).to.equal(0);
    expect((await other.list()).records).to.include.all.keys(one, two);
  });

  it('removes a record once, and finds none that is not there', async () => {
    await put();
    expect(await other.remove(id)).to.equal(true);
    expect(await store.remove(id)).to.equal(false);
    expect(await store.find(id)).to.equal(undefined);
    expect(await listed(other)).to.equal(undefined);
    expect(await store.ids()).not.to.include(id);
    await put();
    expect(await other.find(id)).to.deep.equal(kind.plain(id, 0));
  });

  for (const text of kind.ids) {
    it(`takes the id ${text}`, async () => {
      expect(await store.find(text)).to.equal(undefined);
      expect(await store.remove(text)).to.equal(false);
      await put(text);
      expect(await other.find(text)).to.deep.equal(kind.plain(text, 0));
      expect((await other.list()).records.get(text)).to.deep.equal(kind.plain(text, 0));
      expect(await other.remove(text)).to.equal(true);
    });
  }

  it('leaves a record as it is when nothing is to change, or when the change refuses', async () => {
    expect(await store.put(id, () => undefined)).to.equal(undefined);
    expect(await store.change(id, () => kind.plain(id, 1))).to.equal(undefined);
    expect(await other.find(id)).to.equal(undefined);
    await put();
    expect(await store.put(id, () => undefined)).to.deep.equal(kind.plain(id, 0));
    expect(await store.change(id, () => undefined)).to.deep.equal(kind.plain(id, 0));
    const refusal = new Error('refused');
    const refuse = (): never => {
      throw refusal;
    };
    expect(await rejection(store.put(id, refuse))).to.equal(refusal);
    expect(await rejection(store.change(id, refuse))).to.equal(refusal);
    expect(await other.find(id)).to.deep.equal(kind.plain(id, 0));
  });

  // holds: worker-disabling.old-answer
  it('makes each of concurrent changes to the outcome of the one before', async () => {
    await put();
    const more = (kept: object): object => kind.plain(id, kind.numberOf(kept) + 1);
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? store : other).change(id, more)),
    );
    expect(kind.numberOf((await store.find(id))!)).to.equal(20);
  });

  // holds: signing.one-winner
  it('gives each of concurrent puts the present record, and none to the first', async () => {
    const seen = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 === 0 ? store : other).put(id, (kept) => kept ?? kind.plain(id, i)),
      ),
    );
    const stored = await store.find(id);
    for (const each of seen) expect(each).to.deep.equal(stored);
  });

  // holds: record.unchanged
  it('returns the same object for a record that has not changed, and another once it has', async () => {
    const changed = randomUUID();
    for (const each of [id, changed]) await put(each);
    const before = (await other.list()).records;
    await put(changed, 1);
    const { records } = await other.list([id, changed]);
    expect(records.get(id)).to.equal(before.get(id));
    expect(records.get(changed)).to.deep.equal(kind.plain(changed, 1));
    expect(before.get(changed)).to.deep.equal(kind.plain(changed, 0));
  });

  it('shares no objects with the callers of put', async () => {
    const record = kind.plain(id, 0) as Record<string, unknown>;
    await store.put(id, () => record);
    for (const field of Object.keys(record)) Reflect.deleteProperty(record, field);
    expect(await store.find(id)).to.deep.equal(kind.plain(id, 0));
  });

  const { most } = kind;
  if (most === undefined) return;
  if (isVolumePlayedOn(name)) {
    // holds: hooks.most
    it(`has at most ${most.count} records, which can still change`, async () => {
      const small = await createHarness();
      const [here, there] = [kind.in(small), kind.in(await small.replica())];
      const ids = Array.from({ length: most.count }, (_, i) => `id-${i}`);
      await Promise.all(ids.map((each) => here.put(each, () => kind.plain(each, 0))));
      const excess = (): Promise<unknown> => there.put('one', () => kind.plain('one', 0));
      const { code, message } = most;
      expect(await rejection(excess())).to.include({ code, message });
      await there.change('id-7', () => kind.plain('id-7', 1));
      await there.put('id-8', () => kind.plain('id-8', 1));
      expect(await here.find('id-7')).to.deep.equal(kind.plain('id-7', 1));
      await here.remove('id-7');
      await excess();
      expect(await here.ids()).to.have.lengthOf(most.count);
      await small.dispose();
    });
  }
}
