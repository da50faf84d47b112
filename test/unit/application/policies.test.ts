import type { KeptPolicies } from '../../../src/application/kept/policies.ts';
import { expect } from 'chai';
import { policiesInMemory } from '../../support/collections.ts';
import { MemorySignals } from '../../../src/adapters/outbound/memory/ports/memory-signals.ts';
import type { Policies } from '../../../src/application/policies/policies.ts';
import { ALL_QUEUES } from '../../../src/application/kept/policies.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';
import { CALLBACK_QUEUE, MOVE_QUEUE, queueOfHook } from '../../../src/domain/queues/own-queue.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { rejection } from '../../support/rejection.ts';
import { policiesInTest } from '../../support/policies-in-test.ts';

const QUEUE = queueNamed('mail');

describe('Policies', () => {
  let clock: FakeClock;
  let store: KeptPolicies;
  let signals: MemorySignals;
  let replicas: Policies[];

  beforeEach(() => {
    clock = new FakeClock();
    store = policiesInMemory();
    signals = new MemorySignals();
    replicas = [];
  });
  afterEach(() => Promise.all(replicas.map((each) => each.stop())));

  async function replica(hears = signals): Promise<Policies> {
    const policies = policiesInTest({ store, signals: hears, clock });
    replicas.push(policies);
    await policies.start();
    await policies.known();
    return policies;
  }

  // holds: policy.replicas
  it('are in force on the replica that stores them before it answers, and on others when the signal arrives', async () => {
    const [here, there] = [await replica(), await replica()];
    await here.save(QUEUE, { maxJobSize: 5 });
    expect(here.of(QUEUE)).to.deep.include({ maxJobSize: 5 });
    await clock.advance(0);
    expect(there.of(QUEUE)).to.deep.include({ maxJobSize: 5 });
    await there.remove(QUEUE);
    expect(there.of(QUEUE)).to.equal(undefined);
    await clock.advance(0);
    expect(here.of(QUEUE)).to.equal(undefined);
  });

  // holds: limits.stored
  it('take back a change that names a limit which was removed meanwhile', async () => {
    for (const earlier of [undefined, { maxJobSize: 5 }]) {
      const answers = [{ concurrency: 1 }, undefined];
      const limits = { find: () => Promise.resolve(answers.shift()) };
      if (earlier !== undefined) await store.put(QUEUE, () => earlier);
      const policies = policiesInTest({ store, signals, clock, limits });
      const refused = await rejection(policies.save(QUEUE, { limits: ['openai'] }));
      expect(refused.message).to.equal('limits[0] openai does not exist');
      expect(await store.find(QUEUE)).to.deep.equal(earlier);
      expect(policies.of(QUEUE)).to.deep.equal(earlier);
    }
  });

  // holds: hooks.own-queues
  it('are not about the queues of the service itself', async () => {
    const policies = await replica();
    const window = { open: [{ from: '00:00', to: '00:01' }], tz: 'UTC' };
    await policies.save(ALL_QUEUES, { maxStalledCount: 0, callback: { queue: QUEUE }, window });
    expect(policies.of(QUEUE)).to.include({ maxStalledCount: 0 });
    for (const own of [CALLBACK_QUEUE, MOVE_QUEUE, queueOfHook('alerts')]) {
      expect(policies.of(own)).to.equal(undefined);
      expect(policies.windowOf(own)).to.equal(undefined);
    }
  });

  // holds: policy.replicas
  it('are read at intervals, since a signal may be lost', async () => {
    const [here, deaf] = [await replica(), await replica(new MemorySignals())];
    await here.save(ALL_QUEUES, { maxJobSize: 5 });
    await clock.advance(14_999);
    expect(deaf.of(QUEUE)).to.equal(undefined);
    await clock.advance(1);
    expect(deaf.of(QUEUE)).to.deep.equal({ maxJobSize: 5 });
  });

  it('are those of the queue and, where these are silent, those of all queues', async () => {
    const here = await replica();
    await here.save(ALL_QUEUES, { defaults: { attempts: 2, ttl: 9 }, maxJobSize: 5 });
    await here.save(QUEUE, { defaults: { attempts: 3 } });
    const joined = { defaults: { attempts: 3, ttl: 9 }, maxJobSize: 5 };
    expect(here.of(QUEUE)).to.deep.equal(joined);
    expect(here.of(queueNamed('other'))).to.deep.include({ maxJobSize: 5 });
  });

  // holds: policy.labels
  it('join the labels of the queue and of all queues', async () => {
    const here = await replica();
    await here.save(ALL_QUEUES, { labels: { team: 'core', tier: '2' } });
    await here.save(QUEUE, { labels: { team: 'mail' } });
    expect(here.of(QUEUE)).to.deep.include({ labels: { team: 'mail', tier: '2' } });
    expect(await here.read(QUEUE)).to.deep.equal({ labels: { team: 'mail' } });
  });

  // holds: policy.messages
  it('are of one queue where they concern messages', async () => {
    const here = await replica();
    const messages = { visibility: 0, redrive: { maxReceives: 3, queue: 'dead' } };
    expect(await here.save(QUEUE, { messages })).to.deep.equal({ messages });
    const refused = await rejection(here.save(ALL_QUEUES, { messages: {} }));
    expect(refused.message).to.equal('messages must be left out of the policy of all queues');
    const itself = { messages: { redrive: { maxReceives: 3, queue: QUEUE } } };
    expect(await rejection(here.save(QUEUE, itself))).to.include({
      message: 'messages.redrive.queue must be another queue',
      field: 'messages.redrive.queue',
    });
  });

  it('show the secret of callbacks to one of the replicas that store a signed policy at once', async () => {
    const [here, there] = [await replica(), await replica()];
    const policy = { callbacks: { origins: ['https://example.test'], signed: true } };
    const saved = await Promise.all([here.save(QUEUE, policy), there.save(QUEUE, policy)]);
    const shown = saved.flatMap(({ callbacks }) => callbacks?.secret ?? []);
    expect(shown).to.deep.equal([(await store.find(QUEUE))?.callbacks?.secret]);
  });

  it('lose no change of replicas that change the policy of a queue at once', async () => {
    const [here, there] = [await replica(), await replica()];
    const labelled = (each: Policies, name: string): Promise<void> =>
      each.change(QUEUE, (before = {}) => ({
        ...before,
        labels: { ...before.labels, [name]: 'yes' },
      }));
    await Promise.all([labelled(here, 'one'), labelled(there, 'two')]);
    expect((await store.find(QUEUE))?.labels).to.deep.equal({ one: 'yes', two: 'yes' });
  });

  it('are not guessed before they were read, and kept while the store is away', async () => {
    const all = store.list.bind(store);
    store.list = () => Promise.reject(storeUnavailable(new Error('gone')));
    const here = policiesInTest({ store, signals, clock });
    const failure = await rejection(here.known());
    expect(failure.message).to.match(/^The store is unavailable/);
    store.list = all;
    await here.save(QUEUE, { maxJobSize: 5 });
    store.list = () => Promise.reject(storeUnavailable(new Error('gone')));
    const refused = await rejection(here.remove(QUEUE));
    expect(refused.message).to.match(/^The store is unavailable/);
    expect(refused, 'the policy is removed').to.have.property('mayBeStored', true);
    expect(here.areKnown).to.equal(true);
    expect(here.of(QUEUE)).to.deep.include({ maxJobSize: 5 });
  });

  it('are waited for once by an add that comes while they are read for the first time', async () => {
    const gone = storeUnavailable(new Error('gone'));
    const readings: (() => void)[] = [];
    store.list = () =>
      new Promise((_resolve, reject) => {
        readings.push(() => reject(gone));
      });
    const here = policiesInTest({ store, signals, clock });
    await here.start();
    await Promise.resolve();
    const failure = rejection(here.known());
    readings[0]!();
    expect((await failure).message).to.match(/^The store is unavailable/);
    expect(readings).to.have.lengthOf(1);
    await here.stop();
  });
});
