import { queueNamed } from '../../support/queue-named.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Cluster, Redis } from 'ioredis';
import { isStoreUnavailable } from '../../../src/domain/errors.ts';
import type { Json } from '../../../src/domain/values/json.ts';
import { addOne, countsOf, jobOf, listPage } from '../../contracts/queue-steps.ts';
import { CuttingProxy } from '../../support/cutting-proxy.ts';
import { eventually } from '../../support/eventually.ts';
import { RedisCluster } from '../../support/redis/redis-cluster.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import {
  redisReplica,
  TestConnections,
  type RedisReplica,
} from '../../support/redis/redis-stores.ts';
import { isSlowLane } from '../../support/lane.ts';

/** Longer than any command is waited for, in milliseconds. */
const LONG = 3000;

/** Milliseconds: the two seconds that are promised, and some for a busy machine. */
const PROMISED = 2500;

/** Keeps the event loop from running, as the work on a very large request does. */
function pauseEventLoop(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

/** The next time, whatever goes wrong before. */
function happens(redis: Redis, event: 'connect' | 'close' | 'ready'): Promise<void> {
  return new Promise((resolve) => redis.once(event, resolve));
}

describe('waiting for the answers of Redis', () => {
  let server: RedisServer;
  let connections: TestConnections<Redis>;
  let direct: TestConnections<Redis>;
  let replica: RedisReplica;

  beforeEach(async () => {
    server = await RedisServer.start({ settings: { 'enable-debug-command': 'yes' } });
    connections = await TestConnections.open(server.uri);
    direct = await TestConnections.open(server.uri);
    replica = redisReplica(connections);
    await addOne(replica.queues, queueNamed('known'));
  });
  afterEach(async () => {
    connections.close();
    direct.close();
    await server.stop();
  });

  async function stored(queue: string): Promise<Json[]> {
    const page = { statuses: ['waiting'], start: 0, length: 1000 } as const;
    const { jobs } = await listPage(redisReplica(direct).queues, queueNamed(queue), page);
    return jobs.map(({ data }) => data).toReversed();
  }

  // holds: bounds.own-pause
  it('does not count a pause of our own event loop', async () => {
    let lost = 0;
    connections.commands.on('close', () => (lost += 1));
    const calls = Array.from({ length: 20 }, (_, index) =>
      addOne(replica.queues, queueNamed('paused'), {}, index),
    );
    const reading = replica.queues.find(queueNamed('paused'), '1');
    // Shared adds are sent at the end of the turn.
    await new Promise(setImmediate);
    pauseEventLoop(LONG);
    await Promise.all([...calls, reading]);
    expect(await stored('paused')).to.have.lengthOf(20);
    expect(lost).to.equal(0);
  });

  // holds: bounds.own-pause
  it('does not count one pause after the other', async () => {
    let lost = 0;
    connections.commands.on('close', () => (lost += 1));
    // The store answers after a second, which the pauses stretch to several.
    const sleeping = direct.commands.call('DEBUG', 'SLEEP', '0.5');
    const adding = addOne(replica.queues, queueNamed('paused'));
    for (let pause = 0; pause < 4; pause += 1) {
      // The event loop runs between two pauses, for less than the patience in all.
      await sleep(20);
      pauseEventLoop(800);
    }
    await adding;
    await sleeping;
    expect(lost).to.equal(0);
  });

  for (const hang of isSlowLane ? [500, 1200, 1750, 2200, 3000] : [2200]) {
    // holds: bounds.truthful-add
    it(`stores exactly what it did not refuse when it hangs for ${String(hang)} ms`, async () => {
      const accepted: number[] = [];
      const waits: number[] = [];
      const add = async (index: number): Promise<void> => {
        const start = performance.now();
        try {
          await addOne(replica.queues, queueNamed('hanging'), {}, index);
          accepted.push(index);
        } catch (error) {
          expect(isStoreUnavailable(error), String(error)).to.equal(true);
          waits.push(performance.now() - start);
        }
      };
      process.kill(server.pid, 'SIGSTOP');
      const adds: Promise<void>[] = [];
      for (let sent = 0; sent * 50 < hang; sent += 1) {
        adds.push(add(sent));
        await sleep(50);
      }
      process.kill(server.pid, 'SIGCONT');
      await Promise.all(adds);
      await eventually('the store takes jobs again', async () => {
        return addOne(replica.queues, queueNamed('again')).catch(() => undefined);
      });
      expect(await stored('hanging')).to.have.members(accepted);
      expect(Math.max(0, ...waits)).to.be.below(PROMISED);
    });
  }

  for (const hang of isSlowLane ? [1000, 1250, 1450] : [1250]) {
    // holds: bounds.short-stall
    it(`answers everything that comes while it hangs for ${String(hang)} ms`, async () => {
      const calls: Promise<unknown>[] = [];
      process.kill(server.pid, 'SIGSTOP');
      const over = sleep(hang).then(() => process.kill(server.pid, 'SIGCONT'));
      let added = 0;
      for (let end = performance.now() + hang; performance.now() < end; added += 1) {
        calls.push(addOne(replica.queues, queueNamed('hanging'), {}, added));
        calls.push(replica.queues.find(queueNamed('known'), '1'));
        await sleep(50);
      }
      await over;
      await Promise.all(calls);
      expect((await stored('hanging')).length).to.equal(added);
    });
  }

  const hangs = [0, 500, 700, 900, 1100, 1600, 4000];
  for (const [size, jobs, data, everyday] of [
    ['many jobs', 10_000, 'x', [0, 4000]],
    ['10 MB', 100, 'x'.repeat(100_000), [0, 700]],
  ] as const) {
    for (const hang of isSlowLane ? hangs : everyday) {
      // holds: bounds.truthful-add
      it(`answers an add of ${size} truthfully when it hangs for ${String(hang)} ms`, async () => {
        const batch = Array.from({ length: jobs }, () => jobOf({}, data));
        if (hang > 0) process.kill(server.pid, 'SIGSTOP');
        const goesOn = sleep(hang).then(() => process.kill(server.pid, 'SIGCONT'));
        const sent = performance.now();
        const refusal: unknown = await replica.queues.add(queueNamed('large'), batch).then(
          () => undefined,
          (error: unknown) => error,
        );
        if (hang > PROMISED) expect(performance.now() - sent, 'ms to the answer').to.be.below(hang);
        await goesOn;
        // By now the store would refuse whatever of it is left.
        const other = await TestConnections.open(server.uri);
        const { waiting } = await countsOf(redisReplica(other).queues, queueNamed('large'));
        other.close();
        if (refusal !== undefined) expect(isStoreUnavailable(refusal)).to.equal(true);
        expect(waiting).to.equal(refusal === undefined ? jobs : 0);
        if (hang === 0) expect(refusal).to.equal(undefined);
      });
    }
  }

  // holds: bounds.own-pause
  it('adds a batch again that a pause of our own kept from being sent', async () => {
    const batch = Array.from({ length: 100 }, () => jobOf({}, 'x'.repeat(100_000)));
    const adding = replica.queues.add(queueNamed('paused'), batch);
    await Promise.resolve();
    pauseEventLoop(LONG);
    expect(await adding).to.have.lengthOf(100);
    expect((await stored('paused')).length).to.equal(100);
  });

  // holds: bounds.short-stall
  it('serves all calls from the first answer on when the store continues before all have timed out', async () => {
    let lost = 0;
    connections.commands.on('close', () => (lost += 1));
    process.kill(server.pid, 'SIGSTOP');
    const first = addOne(replica.queues, queueNamed('late')).catch((error: unknown) => error);
    await sleep(1000);
    const second = addOne(replica.queues, queueNamed('late'), {}, 'second');
    expect(isStoreUnavailable(await first)).to.equal(true);
    const sent = performance.now();
    const refused = await addOne(replica.queues, queueNamed('late')).catch(
      (error: unknown) => error,
    );
    expect(isStoreUnavailable(refused)).to.equal(true);
    expect(performance.now() - sent).to.be.below(1000);
    process.kill(server.pid, 'SIGCONT');
    await second;
    await addOne(replica.queues, queueNamed('late'), {}, 'third');
    expect(await stored('late')).to.deep.equal(['second', 'third']);
    expect(lost).to.equal(0);
  });

  it('makes a new connection when a new one is never answered', async () => {
    const proxy = await CuttingProxy.start(server.port);
    const behind = await TestConnections.open(`redis://127.0.0.1:${proxy.port}`);
    proxy.freeze();
    behind.commands.stream.destroy();
    await happens(behind.commands, 'connect');
    // The connection is there, and its handshake gets no answer.
    await happens(behind.commands, 'close');
    const ready = happens(behind.commands, 'ready');
    proxy.thaw();
    await ready;
    behind.close();
    await proxy.close();
  });
});

describe('answers of a Redis Cluster that get lost', function () {
  this.timeout(30_000);
  let cluster: RedisCluster;
  let connections: TestConnections<Cluster>;
  let direct: TestConnections<Cluster>;

  before(async () => {
    cluster = await RedisCluster.start(3);
    connections = await TestConnections.openCluster(cluster.addresses);
    direct = await TestConnections.openCluster(cluster.addresses);
  });
  after(async () => {
    connections.close();
    direct.close();
    await cluster.stop();
  });

  // holds: security.sent-once
  it('do not store a job twice', async () => {
    const { queues } = redisReplica(connections, { prefix: '{lost}' });
    const other = redisReplica(direct, { prefix: '{lost}' });
    const waiting = async (): Promise<number> => {
      const page = { statuses: [], start: 0, length: 0 };
      return (await listPage(other.queues, queueNamed('mail'), page)).counts.waiting;
    };
    await addOne(queues, queueNamed('mail'));
    const connected = connections.commands.nodes().filter(({ status }) => status === 'ready');
    for (const { stream } of connected) stream.pause();
    const lost = queues
      .add(queueNamed('mail'), [jobOf({}, 'lost')])
      .catch((error: unknown) => error);
    await eventually('the job is stored', async () => (await waiting()) === 2);
    for (const { stream } of connected) stream.destroy();
    expect(isStoreUnavailable(await lost)).to.equal(true);
    await eventually('the cluster takes jobs again', () =>
      addOne(queues, queueNamed('mail')).catch(() => undefined),
    );
    const page = { statuses: ['waiting'], start: 0, length: 10 } as const;
    const { jobs } = await listPage(other.queues, queueNamed('mail'), page);
    expect(jobs.map(({ data }) => data)).to.deep.equal([null, 'lost', null]);
  });
});
