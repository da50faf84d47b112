import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import type { RedisServer } from '../support/redis/redis-server.ts';
import { lasting, OtherAnswer, type LedgerCall } from './support/ledger-endpoint.ts';
import { startDurableRedis } from './support/outage.ts';
import { Play } from './support/play.ts';
import { Replicas } from './support/replicas.ts';
import { Traffic } from './support/traffic.ts';

const CONCURRENCY = 20;

const BREAKER = { failures: 5, openFor: 1000, maxOpenFor: 1000 };

/** Calls that run are not ended when others open the breaker. */
const MOST_OPENING = BREAKER.failures - 1 + CONCURRENCY;

/** How soon every replica goes on when a probe went well, in milliseconds, with some for a busy machine. */
const PROMISED = 1500;

/** How long a call takes, in milliseconds. */
const CALL = 50;

/** Jobs of a replica that was killed are found in about a second instead of a minute. */
const QUICK = { LOCK_DURATION: '1000', STALLED_INTERVAL: '500' };

interface JobAnswer {
  readonly id: string;
  readonly attemptsMade: number;
  readonly finishedOn?: number;
}

describe('an endpoint that does not work for some time', () => {
  let store: RedisServer;
  let replicas: Replicas;
  let play: Play;
  let calls: LedgerCall[];
  let traffic: Traffic;

  beforeEach(async () => {
    store = await startDurableRedis();
    replicas = await Replicas.start(3, { STORE_URI: store.uri, ...QUICK });
    play = await Play.begin(lasting(CALL));
    calls = [];
    play.endpoint.onCall((call) => calls.push(call));
    const { client, endpoint } = play;
    await client.register(replicas.next, endpoint.origin, {
      concurrency: CONCURRENCY,
      maxStalledCount: 10,
      breaker: BREAKER,
    });
    const policy = { defaults: { attempts: 100, backoff: { type: 'fixed', delay: 10 } } };
    await replicas.next.call('PUT', `/queues/${play.queue}/policy`, policy);
    for (const service of replicas.running) await service.logged('Worker started');
    traffic = new Traffic(client, replicas, 10);
    await eventually('calls are made', () => Promise.resolve(calls.length > 100));
  });
  afterEach(async () => {
    await traffic.end();
    await play.end();
    await replicas.kill();
    await store.stop();
  });

  const failing = async (): Promise<OtherAnswer> => {
    await sleep(CALL);
    return new OtherAnswer(500);
  };

  const isOpen = async (): Promise<boolean> => {
    const { body } = await replicas.next.call('GET', `/workers/${play.queue}/health`);
    return (body as { readonly state: string }).state === 'open';
  };

  /** Has the endpoint fail; resolves when no call starts any more, to how many were made since. */
  const breakDown = async (): Promise<number> => {
    const before = calls.length;
    play.endpoint.work = failing;
    await eventually('the breaker is open', isOpen);
    await sleep(BREAKER.openFor / 4);
    return calls.length - before;
  };

  /** The jobs of the queue, which must be at rest. */
  const readJobs = async (): Promise<readonly JobAnswer[]> => {
    const jobs: JobAnswer[] = [];
    for (;;) {
      const path = `/queues/${play.queue}/jobs?start=${jobs.length}&length=1000`;
      const { body } = await replicas.next.call('GET', path);
      const page = (body as { readonly jobs: readonly JobAnswer[] }).jobs;
      jobs.push(...page);
      if (page.length < 1000) return jobs;
    }
  };

  /** When (epoch ms) each replica began its first attempt after a moment, by the name of the replica. */
  const firstStarts = async (
    jobs: readonly JobAnswer[],
    after: number,
  ): Promise<ReadonlyMap<string, number>> => {
    const starts = new Map<string, number>();
    for (const { id, finishedOn = 0 } of jobs) {
      if (finishedOn < after || finishedOn > after + 2 * PROMISED) continue;
      const path = `/queues/${play.queue}/jobs/${id}/attempts`;
      const { body } = await replicas.next.call('GET', path);
      const { attempts } = body as {
        attempts: readonly { readonly replica: string; readonly startedAt: number }[];
      };
      const { replica, startedAt } = attempts.at(-1)!;
      if (startedAt >= after)
        starts.set(replica, Math.min(startedAt, starts.get(replica) ?? startedAt));
    }
    return starts;
  };

  /** Ends the traffic and waits for the last job. Resolves to the jobs. */
  const settle = async (): Promise<readonly JobAnswer[]> => {
    await traffic.end();
    await play.client.settle(replicas.next);
    return readJobs();
  };

  /** How many attempts the jobs have made besides those that completed them. */
  const attemptsUsed = (jobs: readonly JobAnswer[]): number =>
    jobs.reduce((sum, { attemptsMade }) => sum + attemptsMade - 1, 0);

  it('is called by one probe at a time, and then at once by all of three replicas', async () => {
    const { endpoint, ledger } = play;
    const opening = await breakDown();
    const open = calls.length;
    await sleep(5 * BREAKER.openFor);
    const probes = calls.slice(open);
    let mended = Infinity;
    endpoint.work = async () => {
      await sleep(CALL);
      mended = Math.min(mended, Date.now());
    };
    await eventually('a probe goes well', () => Promise.resolve(mended < Infinity));
    await sleep(PROMISED);
    const jobs = await settle();
    const starts = await firstStarts(jobs, mended);
    const slowest = Math.max(...starts.values()) - mended;
    ledger.print({ opening, probes: probes.length, 'slowest replica went on after ms': slowest });
    ledger.expectNothingLost();
    expect(opening).to.be.at.most(MOST_OPENING);
    expect(probes.length).to.be.within(3, 5);
    for (const [index, { at }] of probes.slice(1).entries()) {
      expect(at - probes[index]!.at).to.be.at.least(BREAKER.openFor);
    }
    // Whatever was called for without success cost an attempt, and nothing else did.
    expect(attemptsUsed(jobs)).to.equal(opening + probes.length);
    expect(starts.size, 'replicas that went on').to.equal(3);
    expect(slowest).to.be.below(PROMISED);
  }).timeout(60_000);

  it('while replicas are killed and stopped, and the store is killed and restarted', async () => {
    const { endpoint, ledger } = play;
    const opening = await breakDown();
    const open = calls.length;
    const began = performance.now();
    const probed = (): Promise<void> => new Promise((resolve) => endpoint.onCall(() => resolve()));
    // In the middle of a probe, which may be one of its own.
    await probed();
    const [killed, stopped] = replicas.running;
    await replicas.crash(killed!);
    await replicas.add();
    await probed();
    stopped!.signal('SIGSTOP');
    replicas.drop(stopped!);
    await sleep(2500);
    await store.kill();
    await sleep(500);
    await store.restart();
    stopped!.signal('SIGCONT');
    await replicas.ready();
    for (const service of replicas.running.slice(1)) {
      await probed();
      await replicas.crash(service);
      await replicas.add();
    }
    await probed();
    const probes = calls.length - open;
    const most = Math.ceil((performance.now() - began) / BREAKER.openFor);
    endpoint.work = lasting(CALL);
    const mended = calls.length;
    await eventually('work goes on', () => Promise.resolve(calls.length > mended + CONCURRENCY));
    const jobs = await settle();
    await stopped!.kill();
    const used = attemptsUsed(jobs);
    ledger.print({ opening, probes, 'attempts used': used });
    ledger.expectNothingLost();
    expect(opening).to.be.at.most(MOST_OPENING);
    // The replica that stood still may make a call that is another's by then.
    expect(probes).to.be.at.most(most + 1);
    expect(used).to.be.at.most(opening + probes);
  }).timeout(60_000);
});
