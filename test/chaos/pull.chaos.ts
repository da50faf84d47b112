import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import type { RedisServer } from '../support/redis/redis-server.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { completeJob } from './support/job-reports.ts';
import { lasting } from './support/ledger-endpoint.ts';
import { startDurableRedis } from './support/outage.ts';
import { Play } from './support/play.ts';
import { claimJobs, PullClients } from './support/pull-clients.ts';
import { Replicas } from './support/replicas.ts';
import { Traffic } from './support/traffic.ts';

/** Jobs that nobody holds any more are found in about a second instead of a minute. */
const QUICK = { STALLED_INTERVAL: '500' };

/** What each client asks for; its jobs take it well below a second. */
const CLAIM = { count: 5, wait: 2000, lock: 4000 };

/** Longer than any of the scenarios. */
const LONG = 3_600_000;

/** How soon a job that nobody got is somebody else's, in milliseconds, with some for a busy machine. */
const AT_ONCE = 3000;

const NEVER = new AbortController().signal;

describe('clients that take jobs themselves', () => {
  let store: RedisServer;
  let replicas: Replicas;
  let play: Play;

  beforeEach(async () => {
    store = await startDurableRedis();
    replicas = await Replicas.start(3, { STORE_URI: store.uri, ...QUICK });
    play = await Play.begin(lasting(0));
  });
  afterEach(async () => {
    await play.end();
    await replicas.kill();
    await store.stop();
  });

  const counts = async (): Promise<Readonly<Record<string, number>>> => {
    const { body } = await replicas.next.call('GET', `/queues/${play.queue}/jobs?length=0`);
    return (body as { readonly counts: Readonly<Record<string, number>> }).counts;
  };

  /** Clients that leave before they are answered, or when they have just been. */
  const comeAndGo = async (until: AbortSignal): Promise<void> => {
    while (!until.aborted) {
      const leaving = AbortSignal.timeout(1 + Math.floor(Math.random() * 300));
      const claim = { ...CLAIM, count: 1 };
      const claimed = claimJobs(replicas.next, play.queue, claim, leaving);
      for (const { job, token } of await claimed.catch(() => [])) {
        play.ledger.called(job.data, job.id);
        await completeJob(replicas, play.queue, { id: job.id, token });
      }
      await sleep(100);
    }
  };

  it('lose none and are given each once while a replica is killed every second', async () => {
    const { client, ledger, queue } = play;
    const pulling = new PullClients(queue, ledger, replicas, 10, CLAIM);
    const traffic = new Traffic(client, replicas, 10);
    const kills = 8;
    await replicas.crashEachSecond(kills);
    await traffic.end();
    await client.settle(replicas.next);
    await pulling.end();
    ledger.print({ kills, 'too late': pulling.late.size });
    ledger.expectEachOnce();
    expect([...pulling.late]).to.deep.equal([]);
  }).timeout(60_000);

  it('lose none while a replica stands still, the store is killed, and others come and go', async () => {
    const { client, endpoint, ledger, queue } = play;
    // A worker that is not called says how often a job may stall: those of clients that leave do so again and again.
    const opts = { concurrency: 1000, maxStalledCount: 100 };
    await client.register(replicas.next, endpoint.origin, opts);
    await replicas.next.call('POST', `/workers/${queue}/disable`);
    const pulling = new PullClients(queue, ledger, replicas, 10, CLAIM);
    const ended = new AbortController();
    const others = Promise.all(Array.from({ length: 10 }, () => comeAndGo(ended.signal)));
    const traffic = new Traffic(client, replicas, 10);
    await sleep(1000);
    const [stopped] = replicas.running;
    stopped!.signal('SIGSTOP');
    replicas.drop(stopped!);
    await sleep(2000);
    await store.kill();
    await sleep(1000);
    await store.restart();
    await sleep(1000);
    stopped!.signal('SIGCONT');
    await sleep(2000);
    ended.abort();
    await others;
    await traffic.end();
    await client.settle(replicas.next);
    await pulling.end();
    await stopped!.kill();
    ledger.print({ 'too late': pulling.late.size });
    // The job of a client that left is given again when its lock runs out; no client has seen it before.
    ledger.expectEachOnce();
    expect([...pulling.late]).to.deep.equal([]);
  }).timeout(60_000);

  it('that vanish while they wait take no job with them', async () => {
    const { client, ledger, queue } = play;
    const left = new AbortController();
    const waiting = Array.from({ length: 90 }, () =>
      claimJobs(replicas.next, queue, { count: 100, wait: 60_000, lock: LONG }, left.signal),
    );
    const ended = Promise.allSettled(waiting);
    await sleep(1000);
    left.abort();
    await ended;
    await sleep(200);
    const jobs = 300;
    const added = performance.now();
    await client.addAccepted(replicas.next, jobs);
    let got = 0;
    while (got < jobs) {
      const body = { count: 100, wait: AT_ONCE, lock: LONG };
      const claimed = await claimJobs(replicas.next, queue, body, NEVER);
      for (const { job } of claimed) ledger.called(job.data, job.id);
      got += claimed.length;
      expect(claimed.length).to.be.greaterThan(0);
    }
    const slowest = Math.round(performance.now() - added);
    expect(slowest).to.be.below(AT_ONCE);
    ledger.completedAll();
    ledger.print({ vanished: waiting.length, 'all given to another one after ms': slowest });
    ledger.expectEachOnce();
  }).timeout(60_000);

  it('that cannot be answered have their jobs given to others at once', async () => {
    const { queue } = play;
    // More than the system takes for a client that reads nothing.
    const each = 40;
    const data = 'x'.repeat(200_000);
    const body = Array.from({ length: each }, () => ({ name: 'large', data }));
    for (const service of replicas.running) {
      expect((await service.call('POST', `/queues/${queue}/jobs`, body)).status).to.equal(200);
    }
    const request = JSON.stringify({ count: each, lock: LONG });
    const sockets = replicas.running.map((service) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      const begun = once(socket, 'readable');
      socket.write(
        `POST /queues/${queue}/jobs/claim HTTP/1.1\r\nHost: a\r\n` +
          `Authorization: Bearer ${ServiceProcess.token}\r\n` +
          `Content-Length: ${request.length}\r\n\r\n${request}`,
      );
      return { socket, begun };
    });
    const jobs = each * sockets.length;
    await eventually('all jobs are taken', async () => (await counts())['active'] === jobs);
    await Promise.all(sockets.map(({ begun }) => begun));
    const gone = performance.now();
    for (const { socket } of sockets) socket.resetAndDestroy();
    await eventually('all jobs are back', async () => (await counts())['waiting'] === jobs);
    const slowest = Math.round(performance.now() - gone);
    console.log(`        accepted ${jobs}, all of them back after ms ${slowest}`);
    expect(slowest).to.be.below(AT_ONCE);
  }).timeout(60_000);
});
