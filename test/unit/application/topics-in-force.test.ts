import { expect } from 'chai';
import { MemorySignals } from '../../../src/adapters/outbound/memory/ports/memory-signals.ts';
import type { KeptSubscriptions } from '../../../src/application/kept/subscriptions.ts';
import { TopicsInForce } from '../../../src/application/topics/topics-in-force.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';
import { subscriptionsInMemory } from '../../support/collections.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { rejection } from '../../support/rejection.ts';

describe('TopicsInForce', () => {
  let clock: FakeClock;
  let store: KeptSubscriptions;
  let signals: MemorySignals;
  let replicas: TopicsInForce[];

  beforeEach(() => {
    clock = new FakeClock();
    store = subscriptionsInMemory();
    signals = new MemorySignals();
    replicas = [];
  });
  afterEach(() => Promise.all(replicas.map((each) => each.stop())));

  async function replica(hears = signals): Promise<TopicsInForce> {
    const topics = new TopicsInForce(store, hears, clock);
    replicas.push(topics);
    await topics.start();
    return topics;
  }

  const put = (id: string): Promise<unknown> =>
    store.put(`orders/${id}`, () => ({
      id,
      queue: queueNamed('mail'),
      onFull: 'refuse',
      paused: false,
    }));

  const ids = async (topics: TopicsInForce): Promise<readonly string[]> =>
    (await topics.of('orders')).map(({ subscription }) => subscription.id);

  // holds: topics.replicas
  it('are in force where they change at once, and elsewhere with the signal', async () => {
    const [here, there] = [await replica(), await replica()];
    for (const each of [here, there]) expect(await ids(each)).to.deep.equal([]);
    await put('b');
    await put('a');
    here.changed();
    expect(await ids(here)).to.deep.equal(['a', 'b']);
    await clock.advance(0);
    expect(await ids(there)).to.deep.equal(['a', 'b']);
    expect(await there.of('other')).to.deep.equal([]);
  });

  // holds: topics.replicas
  it('are read again after 15 s, since a signal may be lost', async () => {
    const deaf = await replica(new MemorySignals());
    expect(await ids(deaf)).to.deep.equal([]);
    await put('a');
    await clock.advance(14_999);
    expect(await ids(deaf)).to.deep.equal([]);
    await clock.advance(1);
    expect(await ids(deaf)).to.deep.equal(['a']);
  });

  // holds: topics.cost
  it('prepare a filter once, while its subscription stays as it is', async () => {
    const here = await replica();
    await put('a');
    const [before] = await here.of('orders');
    expect((await here.of('orders'))[0]).to.equal(before);
    await put('b');
    here.changed();
    const [same, other] = await here.of('orders');
    expect(same).to.equal(before);
    expect(other?.subscription.id).to.equal('b');
  });

  it('throw what the store does, and are read again then', async () => {
    let isAway = true;
    const ids = () => (isAway ? Promise.reject(storeUnavailable('gone')) : store.ids('orders'));
    const topics = new TopicsInForce({ list: (some) => store.list(some), ids }, signals, clock);
    expect(await rejection(topics.of('orders'))).to.include({ code: 'store-unavailable' });
    isAway = false;
    expect(await topics.of('orders')).to.deep.equal([]);
  });
});
