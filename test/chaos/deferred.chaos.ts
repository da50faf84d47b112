import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import type { RedisServer } from '../support/redis/redis-server.ts';
import { completeJob } from './support/job-reports.ts';
import { lasting, OtherAnswer, type LedgerCall, type Work } from './support/ledger-endpoint.ts';
import { startDurableRedis } from './support/outage.ts';
import { Play } from './support/play.ts';
import { Replicas } from './support/replicas.ts';
import { Traffic } from './support/traffic.ts';

const ACCEPTED = 202;

/** Jobs of a replica that was killed are found in about a second instead of a minute. */
const QUICK = { LOCK_DURATION: '1000', STALLED_INTERVAL: '500' };

/** How long (ms) after its bound an attempt may fail at the latest: `STALLED_INTERVAL`, and some for a busy machine. */
const PROMISED = 3000;

/** How long (ms) it takes at the most from a call until its 202 is on record, on a busy machine. */
const ON_RECORD = 1500;

const BOUND = 6000;

interface AttemptAnswer {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: string;
  readonly reason: string | null;
}

describe('an endpoint that completes its jobs later', () => {
  let store: RedisServer;
  let replicas: Replicas;
  let play: Play;
  /** The completions that are on their way. */
  let completions: Promise<boolean>[];

  beforeEach(async () => {
    store = await startDurableRedis();
    replicas = await Replicas.start(3, { STORE_URI: store.uri, ...QUICK });
    play = await Play.begin(lasting(0));
    completions = [];
  });
  afterEach(async () => {
    await play.end();
    await replicas.kill();
    await store.stop();
  });

  const register = async (deferTimeout: number): Promise<void> => {
    const endpoint = {
      url: play.endpoint.origin,
      method: 'post',
      accepted: 'defer',
      deferTimeout,
    };
    const opts = { concurrency: 1000, maxStalledCount: 10 };
    const worker = { queue: play.queue, endpoint, opts };
    expect((await replicas.next.call('POST', '/workers', worker)).status).to.equal(200);
    for (const service of replicas.running) await service.logged('Worker started');
  };

  /** Accepts the job, and completes it so many ms later through whatever replica is there. */
  const acceptFor =
    (duration: (call: LedgerCall) => number): Work =>
    (call) => {
      completions.push(sleep(duration(call)).then(() => completeJob(replicas, play.queue, call)));
      return Promise.resolve(new OtherAnswer(ACCEPTED));
    };

  const attemptsOf = async (id: number): Promise<readonly AttemptAnswer[]> => {
    const path = `/queues/${play.queue}/jobs/${id}/attempts`;
    const { body } = await replicas.next.call('GET', path);
    return (body as { readonly attempts: readonly AttemptAnswer[] }).attempts;
  };

  const activeJobs = async (): Promise<number> => {
    const { body } = await replicas.next.call('GET', `/queues/${play.queue}/jobs?length=0`);
    return (body as { readonly counts: { readonly active: number } }).counts.active;
  };

  it('completes them through others while the replicas that called are killed', async () => {
    const { client, endpoint, ledger } = play;
    await register(3_600_000);
    endpoint.work = acceptFor(({ number }) => 500 + ((number * 37) % 3000));
    const calls = new Map<number, number>();
    endpoint.onCall(({ number, at }) => {
      if (!calls.has(number)) calls.set(number, at);
    });
    const traffic = new Traffic(client, replicas, 20);
    const kills: number[] = [];
    while (kills.length < 4) {
      await sleep(2 * ON_RECORD);
      const added = replicas.add();
      kills.push(performance.now());
      await replicas.crash(replicas.running[0]!);
      await added;
    }
    await traffic.end();
    await client.settle(replicas.next);
    await Promise.all(completions);
    ledger.print({ kills: kills.length });
    ledger.expectNothingLost();
    // Only those are called again that had no 202 on record yet when their replica was killed.
    const unexplained = ledger.duplicates.filter((number) => {
      const at = calls.get(number)!;
      return !kills.some((kill) => at > kill - ON_RECORD && at < kill + ON_RECORD);
    });
    expect(unexplained).to.deep.equal([]);
  }).timeout(60_000);

  it('completes them all, each called once, over a replica that stands still and a store that restarts', async () => {
    const { client, endpoint, ledger } = play;
    const jobs = 300;
    await register(3_600_000);
    let may = (): void => undefined;
    const allowed = new Promise<void>((resolve) => (may = resolve));
    endpoint.work = (call) => {
      completions.push(allowed.then(() => completeJob(replicas, play.queue, call)));
      return Promise.resolve(new OtherAnswer(ACCEPTED));
    };
    await client.addAccepted(replicas.next, jobs);
    await eventually('all jobs are called for', () => Promise.resolve(completions.length === jobs));
    await eventually('all calls have ended', () => Promise.resolve(endpoint.running === 0));
    // Long enough for what was accepted to be on record.
    await sleep(500);
    const [killed, stopped] = replicas.running;
    await replicas.crash(killed!);
    stopped!.signal('SIGSTOP');
    replicas.drop(stopped!);
    await replicas.add();
    // Longer than their locks would last if they had any to renew.
    await sleep(3000);
    await store.kill();
    may();
    await sleep(1000);
    await store.restart();
    stopped!.signal('SIGCONT');
    await client.settle(replicas.next);
    const held = (await Promise.all(completions)).filter(Boolean).length;
    await stopped!.kill();
    ledger.print({ 'completed by their tokens': held });
    ledger.expectEachOnce();
    expect(held).to.equal(jobs);
  }).timeout(60_000);

  it('fails the attempts that are not completed in time, on the calling replica or another, and calls again', async () => {
    const { client, endpoint, ledger } = play;
    const jobs = 100;
    await register(BOUND);
    const policy = { defaults: { attempts: 2 } };
    await replicas.next.call('PUT', `/queues/${play.queue}/policy`, policy);
    endpoint.work = () => Promise.resolve(new OtherAnswer(ACCEPTED));
    await client.addAccepted(replicas.next, jobs);
    await eventually('all jobs are called for', () =>
      Promise.resolve(ledger.distinctCalls === jobs && endpoint.running === 0),
    );
    await sleep(500);
    expect(await activeJobs()).to.equal(jobs);
    endpoint.work = acceptFor(() => 100);
    for (const service of replicas.running) {
      await replicas.add();
      await replicas.crash(service);
    }
    await client.settle(replicas.next);
    await Promise.all(completions);
    let latest = 0;
    for (let id = 1; id <= jobs; id += 1) {
      const [first, second] = await attemptsOf(id);
      expect(first).to.include({
        outcome: 'timeout',
        reason: `Endpoint did not complete within ${BOUND} ms`,
      });
      expect(second).to.include({ outcome: 'completed' });
      latest = Math.max(latest, first!.endedAt - first!.startedAt - BOUND);
    }
    ledger.print({ 'latest attempt failed after its bound by ms': latest });
    ledger.expectNothingLost();
    expect(latest).to.be.within(0, PROMISED);
  }).timeout(60_000);
});
