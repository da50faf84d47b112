import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { CalledJobs } from './support/everything/called-jobs.ts';
import { CancelledJobs } from './support/everything/cancelled-jobs.ts';
import { DeferredJobs } from './support/everything/deferred-jobs.ts';
import { EventFollower } from './support/everything/event-follower.ts';
import { Flows } from './support/everything/flows.ts';
import type { LoadPart } from './support/everything/load-part.ts';
import { PulledJobs } from './support/everything/pulled-jobs.ts';
import { ScheduledJobs } from './support/everything/scheduled-jobs.ts';
import { cluster, sentinels, singleRedis } from './support/everything/scene-stores.ts';
import type { SceneStore } from './support/everything/scene-stores.ts';
import { keysOf, unfinishedKeys } from './support/everything/stored-keys.ts';
import { Ledger } from './support/ledger.ts';
import { mostWithin } from './support/most-within.ts';
import { Replicas } from './support/replicas.ts';

/** How long a lock lasts, in milliseconds; jobs of a replica that was killed are found in little more. */
const LOCK = 2000;

const QUICK = { LOCK_DURATION: String(LOCK), STALLED_INTERVAL: '500' };

/** Time between two kills, in milliseconds. */
const BETWEEN_KILLS = 2500;

const STORES: readonly (readonly [name: string, start: () => Promise<SceneStore>])[] = [
  ['Redis, killed and restarted', singleRedis],
  ['Redis Sentinel, the master killed', sentinels],
  ['Redis Cluster, the node of the queues stopped for three seconds', cluster],
];

/**
 * Keys that belong to no queue: the audit, the figures of all queues together, replicas that were seen and uses of tokens,
 * each kept for its time, what names the data, whose turn it is to look at hooks, the check of the queue of callbacks, and
 * keys that expire by which replicas wake their blocking reads.
 */
const OF_ALL_QUEUES =
  /^(?:audit|audit-order|callbacks:stalled-check|counted|data|failing|hook-look|replicas|token-uses|(?:hours|minutes|sampler)-\d+|(?:wake|wake-events):.*)$/;

describe('everything at once, while replicas are killed and stopped, and the store fails', () => {
  let store: SceneStore;
  let replicas: Replicas;
  let ledger: Ledger;
  let follower: EventFollower;
  let parts: LoadPart[];
  let stopped: ServiceProcess | undefined;

  afterEach(async () => {
    await follower.end();
    await Promise.all(parts.map((part) => part.close()));
    await stopped?.kill();
    await replicas.kill();
    await store.stop();
  });

  const crashOldest = async (): Promise<void> => {
    await sleep(BETWEEN_KILLS);
    await replicas.add();
    await replicas.crash(replicas.running[0]!);
  };

  /** Kills replicas, stops one for longer than its lock lasts, and takes the store away. */
  const disturb = async (called: CalledJobs): Promise<void> => {
    await crashOldest();
    stopped = replicas.running[0]!;
    stopped.signal('SIGSTOP');
    replicas.drop(stopped);
    await replicas.add();
    await crashOldest();
    await sleep(LOCK);
    called.resumed();
    stopped.signal('SIGCONT');
    await crashOldest();
    await store.fail();
    await crashOldest();
    await crashOldest();
    await sleep(1000);
  };

  /** Expects that the follower saw the end of each accepted job, but for those of queues with a gap. */
  const expectSeen = (): Promise<unknown> => {
    const accepted = new Set(ledger.numbers('accepted'));
    const jobs = parts.flatMap((part) =>
      [...part.jobs].flatMap(([queue, numbers]) =>
        [...numbers].flatMap((number) =>
          accepted.has(number) && !follower.gaps.has(queue) ? [`${queue}/job-${number}`] : [],
        ),
      ),
    );
    return eventually('the end of each job is seen', () =>
      Promise.resolve(jobs.every((job) => follower.ended.has(job))),
    );
  };

  /** Deletes the queues, and expects that nothing is left of them. */
  const expectNoKeyLeft = async (queues: readonly string[]): Promise<void> => {
    const redis = await store.openClient();
    try {
      for (const queue of queues) {
        expect(await unfinishedKeys(redis, store.prefix, queue)).to.deep.equal([]);
      }
      for (const queue of queues) {
        const path = `/queues/${queue}?confirm=${queue}&force=true`;
        expect((await replicas.next.call('DELETE', path)).status).to.equal(200);
      }
      const own = `${store.prefix}::jobgate:`;
      const isKept = (key: string): boolean =>
        key.startsWith(own) && OF_ALL_QUEUES.test(key.slice(own.length));
      let left: readonly string[] = [];
      // A replica that has not heard of the end of a worker may look for stalled jobs, which leaves a key for a moment.
      await eventually('no key is left', async () => {
        left = (await keysOf(redis, store.prefix)).filter((key) => !isKept(key));
        return left.length === 0;
      }).catch(() => undefined);
      expect(left, 'keys that are left').to.deep.equal([]);
    } finally {
      redis.disconnect();
    }
  };

  for (const [name, startStore] of STORES) {
    it(`on ${name}: nothing lost, nothing stuck, no key left`, async () => {
      store = await startStore();
      replicas = await Replicas.start(3, { ...store.environment, ...QUICK });
      ledger = new Ledger();
      follower = new EventFollower(replicas);
      const called = await CalledJobs.start(ledger, replicas);
      const cancelled = await CancelledJobs.start(ledger, replicas);
      const scheduled = await ScheduledJobs.start(replicas);
      parts = [
        called,
        cancelled,
        scheduled,
        await DeferredJobs.start(ledger, replicas),
        await PulledJobs.start(ledger, replicas),
        await Flows.start(ledger, replicas),
      ];
      await disturb(called);
      const disturbed = performance.now();
      await Promise.all(parts.map((part) => part.settle()));
      const settled = performance.now() - disturbed;
      const queues = parts.flatMap((part) => [...part.jobs.keys()]);

      const { max, duration } = CalledJobs.limiter;
      const starts = follower.starts.get(called.queue) ?? [];
      const happened = {
        cancelled: cancelled.cancelled,
        'retried by hand': called.retried,
        holds: called.holds,
        scheduled: scheduled.calls,
        refused: ledger.numbers('refused').length,
      };
      ledger.print({
        ...happened,
        'settled after s': (settled / 1000).toFixed(1),
        unanswered: ledger.numbers('unanswered').length,
        connections: follower.connections,
        gaps: follower.gaps.size,
        [`most in ${duration} ms`]: mostWithin(starts, duration - 1),
      });
      ledger.expectNothingLost();
      for (const [what, times] of Object.entries(happened)) expect(times, what).to.be.above(0);
      expect(mostWithin(starts, duration - 1)).to.be.at.most(max);
      expect(follower.repeated, 'events that came twice').to.deep.equal([]);
      await expectSeen();
      await expectNoKeyLeft(queues);
    }).timeout(120_000);
  }
});
