import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { ServiceProcess } from '../support/service-process.ts';
import { lasting } from './support/ledger-endpoint.ts';
import { hangingStore, killedStore, type FragileStore } from './support/outage.ts';
import { Play } from './support/play.ts';
import { Replicas } from './support/replicas.ts';
import { Traffic } from './support/traffic.ts';
import { rounds } from '../support/lane.ts';

/** Jobs that a replica had to leave are found in about a second instead of a minute. */
const QUICK = { LOCK_DURATION: '1000', STALLED_INTERVAL: '500' };

/** Makes the service throw, or reject, out of nowhere when it gets SIGUSR2. */
const FAILURES = [
  ['an exception', 'throw new Error("provoked")'],
  ['a rejection', 'void Promise.reject(new Error("provoked"))'],
] as const;

/** Code that the service runs before its own. */
function preload(code: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}

describe('the end of a replica', () => {
  let store: FragileStore;
  let replicas: Replicas;
  let play: Play;

  afterEach(async () => {
    await play.end();
    await replicas.kill();
    await store.stop();
  });

  async function start(count: number, environment: Record<string, string> = {}): Promise<void> {
    store = await killedStore();
    replicas = await Replicas.start(count, { STORE_URI: store.uri, ...environment });
  }

  /** Starts a call that lasts until the function it resolves to is called. */
  async function longCall(service: ServiceProcess, jobOptions = {}): Promise<() => void> {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    play = await Play.begin(() => finished);
    const { client, endpoint } = play;
    const called = new Promise<unknown>((resolve) => endpoint.onCall(resolve));
    await client.register(service, endpoint.origin);
    await client.addWith(service, jobOptions);
    await called;
    return finish;
  }

  /** Waits until another replica has done what this one, which has ended, left behind. */
  async function settleWithout(service: ServiceProcess): Promise<void> {
    replicas.drop(service);
    await play.client.settle(await replicas.add());
  }

  it('one after the other, under load: nothing lost, nothing twice', async () => {
    await start(rounds(3, 2));
    play = await Play.begin(lasting(200));
    const { client, endpoint, ledger } = play;
    await client.register(replicas.next, endpoint.origin, { concurrency: 20 });
    const traffic = new Traffic(client, replicas, 15);
    for (const service of [...replicas.running]) {
      await replicas.add();
      replicas.drop(service);
      expect(await service.stop()).to.deep.equal({ code: 0, signal: null });
    }
    await traffic.end();
    await client.settle(replicas.next);
    ledger.print();
    expect(ledger.numbers('unanswered')).to.be.empty;
    ledger.expectEachOnce();
  }).timeout(60_000);

  const stores = [
    ['hangs', hangingStore],
    ['is down', killedStore],
  ] as const;
  for (const [name, startStore] of stores.slice(0, rounds(2, 1))) {
    it(`without work while the store ${name}: code 0, at once`, async () => {
      store = await startStore();
      replicas = await Replicas.start(1, { STORE_URI: store.uri });
      play = await Play.begin(lasting(0));
      const { client, endpoint, ledger } = play;
      const service = replicas.next;
      await client.register(service, endpoint.origin, { concurrency: 4 });
      await client.addAccepted(service, 10);
      await client.settle(service);
      await store.takeAway();
      const signalled = performance.now();
      expect(await service.stop()).to.deep.equal({ code: 0, signal: null });
      const seconds = (performance.now() - signalled) / 1000;
      await store.bringBack();
      ledger.print({ 'ended after s': seconds.toFixed(1) });
      expect(seconds).to.be.below(6);
      ledger.expectEachOnce();
    }).timeout(60_000);
  }

  const deadlines = [
    ['a job', {}],
    ['a prioritized job', { priority: 5 }],
  ] as const;
  for (const [name, jobOptions] of deadlines.slice(0, rounds(2, 1))) {
    // holds: shutdown.timeout
    it(`with ${name} still running at the deadline: code 1, another replica takes it at once`, async () => {
      await start(1, { SHUTDOWN_TIMEOUT: '1000' });
      const service = replicas.next;
      const finish = await longCall(service, jobOptions);
      const other = await replicas.add();
      await other.logged('Worker started');
      const takenOver = new Promise<number>((resolve) => {
        play.endpoint.onCall(({ at }) => resolve(at));
      });
      service.signal('SIGTERM');
      expect(await service.exited).to.deep.equal({ code: 1, signal: null });
      const ended = performance.now();
      const ms = (await takenOver) - ended;
      finish();
      await play.client.settle(other);
      play.ledger.print({ 'taken over after ms': ms.toFixed(0) });
      expect(ms).to.be.below(1000);
      play.ledger.expectNothingLost();
    }).timeout(60_000);
  }

  it('during an outage that ends in time: the result is recorded, code 0', async () => {
    await start(1);
    const service = replicas.next;
    const finish = await longCall(service);
    await store.takeAway();
    service.signal('SIGTERM');
    await service.logged('Stopping');
    finish();
    await sleep(1500);
    await store.bringBack();
    expect(await service.exited).to.deep.equal({ code: 0, signal: null });
    await settleWithout(service);
    play.ledger.print();
    play.ledger.expectEachOnce();
  }).timeout(60_000);

  it('during an outage that lasts: code 1 at the deadline, another replica does the work', async () => {
    await start(1, { SHUTDOWN_TIMEOUT: '2000', ...QUICK });
    const service = replicas.next;
    const finish = await longCall(service);
    await store.takeAway();
    const signalled = performance.now();
    service.signal('SIGTERM');
    await service.logged('Stopping');
    finish();
    expect(await service.exited).to.deep.equal({ code: 1, signal: null });
    const seconds = (performance.now() - signalled) / 1000;
    await store.bringBack();
    await settleWithout(service);
    play.ledger.print({ 'ended after s': seconds.toFixed(1) });
    expect(seconds).to.be.below(3);
    play.ledger.expectNothingLost();
  }).timeout(60_000);

  it('at once on a second signal, though the store is away', async () => {
    await start(1, QUICK);
    const service = replicas.next;
    const finish = await longCall(service);
    await store.takeAway();
    service.signal('SIGTERM');
    await service.logged('Stopping');
    const signalled = performance.now();
    await service.signalAgain('SIGTERM');
    expect((await service.exited).code).to.equal(1);
    const ms = performance.now() - signalled;
    finish();
    await store.bringBack();
    await settleWithout(service);
    play.ledger.print({ 'ended after ms': ms.toFixed(0) });
    expect(ms).to.be.below(1000);
    play.ledger.expectNothingLost();
  }).timeout(60_000);

  // The other one is on the way of a SIGTERM below.
  for (const [name, code] of FAILURES.slice(0, rounds(2, 1))) {
    it(`by ${name} that nobody handled: logged, work finished, code 1`, async () => {
      await start(1, preload(`process.on('SIGUSR2', () => { ${code} })`));
      const service = replicas.next;
      const finish = await longCall(service);
      service.signal('SIGUSR2');
      const line = await service.logged('Unhandled error: the process shuts down');
      expect(JSON.stringify(line['error'])).to.include('provoked');
      finish();
      expect(await service.exited).to.deep.equal({ code: 1, signal: null });
      await settleWithout(service);
      play.ledger.print();
      play.ledger.expectEachOnce();
    }).timeout(60_000);
  }

  it('by SIGTERM with an unhandled error on the way: code 1', async () => {
    await start(1, preload(`process.on('SIGUSR2', () => { ${FAILURES[1][1]} })`));
    const service = replicas.next;
    const finish = await longCall(service);
    service.signal('SIGTERM');
    await service.logged('Stopping');
    service.signal('SIGUSR2');
    await service.logged('Unhandled error: the process shuts down');
    finish();
    expect(await service.exited).to.deep.equal({ code: 1, signal: null });
    await settleWithout(service);
    play.ledger.print();
    play.ledger.expectEachOnce();
  }).timeout(60_000);
});
