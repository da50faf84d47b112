import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { lasting } from './support/ledger-endpoint.ts';
import { hangingStore, killedStore, type FragileStore } from './support/outage.ts';
import { Play } from './support/play.ts';
import { Replicas } from './support/replicas.ts';
import { WaitingClaims } from './support/waiting-claims.ts';

/** Longest time without a running call once the store goes on, in milliseconds, on a busy machine. */
const LONGEST_GAP = 1000;

describe('a store that is away again and again', () => {
  let store: FragileStore;
  let replicas: Replicas;
  let play: Play;
  let claims: WaitingClaims;

  afterEach(async () => {
    await claims.end();
    await play.end();
    await replicas.kill();
    await store.stop();
  });

  /** While clients wait for jobs of a queue without any. */
  async function goesAway(times: number, pause: number, outage: number): Promise<void> {
    claims = new WaitingClaims(replicas, 6);
    for (let round = 0; round < times; round += 1) {
      await sleep(pause);
      await store.takeAway();
      await sleep(outage);
      await store.bringBack();
    }
  }

  it('hanging for a second and a half each time: the backlog goes on at once', async () => {
    // Too long for the store to give a job to a claim, too short for the claim to fail, so that every
    // replica learns that there is nothing to take.
    const hang = 1500;
    store = await hangingStore();
    replicas = await Replicas.start(3, { STORE_URI: store.uri });
    play = await Play.begin(lasting(20));
    const { client, endpoint, ledger } = play;
    await client.addAccepted(replicas.next, 1000);
    await client.register(replicas.next, endpoint.origin, { concurrency: 4 });
    await goesAway(4, 400, hang);
    await client.settle(replicas.next);
    await claims.expectServed();
    ledger.print({ 'longest gap ms': endpoint.longestGap.toFixed(0) });
    ledger.expectEachOnce();
    expect(endpoint.longestGap).to.be.below(hang + LONGEST_GAP);
  }).timeout(90_000);

  for (const [name, fragileStore] of [
    ['killed', killedStore],
    ['hanging', hangingStore],
  ] as const) {
    it(`${name} for thrice the time that locks last: no call is made twice`, async () => {
      const settings = { LOCK_DURATION: '2000', STALLED_INTERVAL: '2000' };
      store = await fragileStore();
      replicas = await Replicas.start(3, { STORE_URI: store.uri, ...settings });
      // Every other call ends while the store is away.
      play = await Play.begin(({ number }) => sleep(number % 2 === 0 ? 4000 : 15_000));
      const { client, endpoint, ledger } = play;
      await client.addAccepted(replicas.next, 24);
      await client.register(replicas.next, endpoint.origin, { concurrency: 24 });
      await goesAway(1, 1500, 6000);
      await client.settle(replicas.next);
      await claims.expectServed();
      ledger.print();
      ledger.expectEachOnce();
    }).timeout(90_000);
  }

  it('killed for two seconds each time: long calls keep their locks, and are recorded', async () => {
    // Locks last for three outages: one of the two renewals in that time always meets the store.
    const settings = { LOCK_DURATION: '6000', STALLED_INTERVAL: '1000' };
    store = await killedStore();
    replicas = await Replicas.start(3, { STORE_URI: store.uri, ...settings });
    play = await Play.begin(lasting(10_000));
    const { client, endpoint, ledger } = play;
    await client.addAccepted(replicas.next, 12);
    await client.register(replicas.next, endpoint.origin, { concurrency: 12 });
    await goesAway(3, 1200, 2000);
    await client.settle(replicas.next);
    await claims.expectServed();
    ledger.print();
    ledger.expectEachOnce();
  }).timeout(90_000);
});
