import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Answer } from '../support/called-service.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { lasting, type LedgerCall } from './support/ledger-endpoint.ts';
import {
  hangingStore,
  killedStore,
  unreachableStore,
  type FragileStore,
} from './support/outage.ts';
import { Play } from './support/play.ts';
import { isReady, Replicas } from './support/replicas.ts';
import { Traffic } from './support/traffic.ts';

/** How long the store is away, in milliseconds. */
const OUTAGE = 5000;

/** The two seconds in which an answer is promised, and some for a busy machine, in milliseconds. */
const PROMISED = 2500;

/** Calls that run at the endpoint through the first half of the outage. */
const LONG_CALLS = 4;

const WORKER = { queue: 'other', endpoint: { url: 'http://127.0.0.1:9/', method: 'post' } };

/** Every call that needs the store. */
const CALLS: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['POST', '/queues/other/jobs', [{ name: 'job', data: 1 }]],
  ['GET', '/queues/other/jobs'],
  ['GET', '/queues/other/jobs/1'],
  ['GET', '/queues/other/jobs/1/logs'],
  ['POST', '/workers', WORKER],
  ['GET', '/workers'],
  ['GET', '/workers/other'],
  ['DELETE', '/workers/other'],
  ['GET', '/health/ready'],
  ['POST', '/queues/other/jobs/claim', { wait: 1000 }],
  ['POST', '/queues/another/jobs/claim', { wait: 1000 }],
];

const OUTAGES: readonly (readonly [name: string, start: () => Promise<FragileStore>])[] = [
  ['is killed and restarted', killedStore],
  ['hangs', hangingStore],
  ['cannot be reached', unreachableStore],
];

describe('a store that is away for five seconds', () => {
  let store: FragileStore;
  let replicas: Replicas;
  let play: Play;

  afterEach(async () => {
    await play.end();
    await replicas.kill();
    await store.stop();
  });

  for (const [name, startStore] of OUTAGES) {
    it(`since it ${name}: nothing lost, nothing twice`, async () => {
      store = await startStore();
      replicas = await Replicas.start(3, { STORE_URI: store.uri });
      let finishLongCalls = (): void => undefined;
      const halfTime = new Promise<void>((resolve) => (finishLongCalls = resolve));
      const quick = lasting(20);
      const work = (call: LedgerCall) => (call.number <= LONG_CALLS ? halfTime : quick(call));
      play = await Play.begin(work);
      const { client, endpoint, ledger } = play;
      await client.register(replicas.next, endpoint.origin, { concurrency: 20 });
      await client.addAccepted(replicas.next, LONG_CALLS);
      const traffic = new Traffic(client, replicas, 20);
      await sleep(1000);

      await store.takeAway();
      const firstDuringOutage = ledger.next();
      const over = sleep(OUTAGE);
      // One that has never seen the store.
      const late = await replicas.add();
      const unready = Promise.all(replicas.running.map((service) => becomes(service, false)));
      const slowest = await expectUnavailable(replicas.running);
      await unready;
      finishLongCalls();
      await over;
      await store.bringBack();
      const back = performance.now();
      await Promise.all(replicas.running.map((service) => becomes(service, true)));
      const healed = performance.now() - back;

      await sleep(1000);
      await traffic.end();
      await client.settle(replicas.next);
      const refused = ledger.numbers('refused');
      const inDoubt = ledger.storedThoughRefused.filter((number) => number < firstDuringOutage);
      expect(late.logs.filter(({ level }) => level === 'error')).to.deep.equal([]);
      ledger.print({
        refused: refused.length,
        'in doubt': inDoubt.length,
        'slowest answer ms': Math.max(traffic.slowest, slowest).toFixed(0),
        'ready again after ms': healed.toFixed(0),
      });
      ledger.expectEachOnce();
      expect(refused).not.to.be.empty;
      expect(ledger.numbers('unanswered')).to.be.empty;
      const stored = ledger.storedThoughRefused.filter((number) => number > firstDuringOutage);
      expect(stored, 'refused during the outage, yet stored').to.deep.equal([]);
      expect(traffic.slowest).to.be.below(PROMISED);
      for (const { status, retryAfter } of traffic.replies) {
        expect([status, retryAfter]).to.be.deep.oneOf([
          [200, undefined],
          [503, '1'],
        ]);
      }
    }).timeout(90_000);
  }
});

/** Makes every call to every replica, and again a second later. Resolves to the slowest answer in ms. */
async function expectUnavailable(services: readonly ServiceProcess[]): Promise<number> {
  let slowest = 0;
  for (let round = 0; round < 2; round += 1) {
    const started = performance.now();
    const calls = services.flatMap((service) =>
      CALLS.map(async ([method, path, body]): Promise<readonly [string, Answer]> => {
        const answer = await service.call(method, path, body);
        slowest = Math.max(slowest, performance.now() - started);
        return [`${method} ${path}`, answer];
      }),
    );
    for (const [call, { status, headers }] of await Promise.all(calls)) {
      expect([status, headers.get('retry-after')], call).to.deep.equal([503, '1']);
    }
    await sleep(300);
  }
  expect(slowest).to.be.below(PROMISED);
  return slowest;
}

/** Waits until the replica is ready, or is not. */
async function becomes(service: ServiceProcess, ready: boolean): Promise<void> {
  while ((await isReady(service)) !== ready) await sleep(20);
}
