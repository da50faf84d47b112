import type { KeptHooks } from '../../../src/application/kept/hooks.ts';
import { expect } from 'chai';
import { hooksInMemory } from '../../support/collections.ts';
import { MemorySignals } from '../../../src/adapters/outbound/memory/ports/memory-signals.ts';
import { StoredHooksInForce } from '../../../src/application/hooks/hooks-in-force.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';
import type { Hook } from '../../../src/domain/hooks/hook.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { plainHook } from '../../support/plain-hook.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { rejection } from '../../support/rejection.ts';
import { silentLogger } from '../../support/silent-logger.ts';

describe('StoredHooksInForce', () => {
  let clock: FakeClock;
  let store: KeptHooks;
  let signals: MemorySignals;
  let replicas: StoredHooksInForce[];

  beforeEach(() => {
    clock = new FakeClock();
    store = hooksInMemory();
    signals = new MemorySignals();
    replicas = [];
  });
  afterEach(() => Promise.all(replicas.map((each) => each.stop())));

  async function replica(hears = signals): Promise<StoredHooksInForce> {
    const hooks = new StoredHooksInForce(store, hears, clock, silentLogger);
    replicas.push(hooks);
    await hooks.start();
    await hooks.known();
    return hooks;
  }

  const ids = (hooks: readonly Hook[]): readonly string[] => hooks.map(({ id }) => id);
  const put = (hook: Hook): Promise<unknown> => store.put(hook.id, () => hook);

  // holds: hooks.in-force
  it('are in force where they change before that is answered, and elsewhere with the signal', async () => {
    const [here, there] = [await replica(), await replica()];
    await put(plainHook('b'));
    await put(plainHook('a'));
    await here.changed();
    expect(ids(here.all())).to.deep.equal(['a', 'b']);
    await clock.advance(0);
    expect(ids(there.all())).to.deep.equal(['a', 'b']);
    expect(there.find('b')).to.deep.equal(plainHook('b'));
    expect(there.find('c')).to.equal(undefined);
  });

  // holds: hooks.in-force
  it('are read at intervals, since a signal may be lost', async () => {
    const deaf = await replica(new MemorySignals());
    await put(plainHook('a'));
    await clock.advance(14_999);
    expect(deaf.all()).to.deep.equal([]);
    await clock.advance(1);
    expect(ids(deaf.all())).to.deep.equal(['a']);
  });

  it('watch the queues that they are about, unless they are paused', async () => {
    const here = await replica();
    const [mail, sms] = [queueNamed('mail-eu'), queueNamed('sms')];
    expect(here.watching(mail)).to.deep.equal([]);
    await put(plainHook('all'));
    await put({ ...plainHook('mail'), queues: ['mail-*'] });
    await put({ ...plainHook('paused'), paused: true });
    await here.changed();
    expect(ids(here.watching(mail))).to.deep.equal(['all', 'mail']);
    expect(ids(here.watching(sms))).to.deep.equal(['all']);
    expect(here.watching(mail), 'found once').to.equal(here.watching(mail));
    await store.remove('all');
    await here.changed();
    expect(ids(here.watching(sms))).to.deep.equal([]);
  });

  it('are kept while the store is away, and not guessed before they were read', async () => {
    const all = store.list.bind(store);
    const away = (): Promise<never> => Promise.reject(storeUnavailable(new Error('gone')));
    store.list = away;
    const here = new StoredHooksInForce(store, signals, clock, silentLogger);
    expect(await rejection(here.known())).to.include({ code: 'store-unavailable' });
    store.list = all;
    await put(plainHook('a'));
    await here.known();
    store.list = away;
    expect(await rejection(here.changed())).to.include({ code: 'store-unavailable' });
    expect(ids(here.all())).to.deep.equal(['a']);
  });
});
