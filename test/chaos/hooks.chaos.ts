import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { answer, EndpointServer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import type { RedisServer } from '../support/redis/redis-server.ts';
import { startDurableRedis } from './support/outage.ts';
import { Replicas } from './support/replicas.ts';

const JOBS = 10_000;
const BATCH = 1000;

/** How long (ms) a busy machine may take. */
const LONG = 180_000;

/** Jobs of a replica that was killed are found in about a second instead of a minute. */
const QUICK = { LOCK_DURATION: '1000', STALLED_INTERVAL: '500' };

/** What a hook tells of a condition. */
interface ConditionTold {
  readonly type: string;
  readonly data: { readonly queues: readonly { readonly queue: string }[]; readonly more: number };
}

describe('the conditions of hooks', () => {
  let store: RedisServer;
  let replicas: Replicas;
  let endpoint: EndpointServer;
  let receiver: EndpointServer;
  const queue = `hooks-${process.pid}`;

  beforeEach(async () => {
    store = await startDurableRedis();
    replicas = await Replicas.start(3, { STORE_URI: store.uri, ...QUICK });
    endpoint = await EndpointServer.start(answer(500));
    receiver = await EndpointServer.start(answer(200));
  });
  afterEach(async () => {
    await replicas.kill();
    await Promise.all([endpoint.close(), receiver.close()]);
    await store.stop();
  });

  /** The messages that arrived, each once: by the ids of their deliveries. */
  const told = (): readonly ConditionTold[] => {
    const messages = new Map<unknown, ConditionTold>();
    for (const { headers, text } of receiver.calls) {
      messages.set(headers['webhook-id'], JSON.parse(text) as ConditionTold);
    }
    return [...messages.values()];
  };

  const act = async (method: string, path: string, body: unknown): Promise<void> => {
    const { status, body: answered } = await replicas.next.call(method, path, body);
    expect(status, JSON.stringify(answered)).to.equal(200);
  };

  /** Adds jobs by ids of their own, again when the replica dies meanwhile. */
  const add = async (prefix: string, jobs: number): Promise<void> => {
    for (let first = 0; first < jobs; first += BATCH) {
      const batch = Array.from({ length: BATCH }, (_, index) => {
        return {
          name: 'work',
          data: null,
          opts: { jobId: `${prefix}-${first + index}`, attempts: 2 },
        };
      });
      await eventually('jobs are added', () =>
        act('POST', `/queues/${queue}/jobs`, batch).then(
          () => true,
          () => false,
        ),
      );
    }
  };

  const ended = (state: 'completed' | 'failed', jobs: number): Promise<true> =>
    eventually(
      `${jobs} jobs ${state}`,
      async () => {
        const { body } = await replicas.next.call('GET', `/queues/${queue}`);
        return (body as { counts: Record<string, number> }).counts[state] === jobs;
      },
      LONG,
    );

  const arrived = (type: string): Promise<true> =>
    eventually(
      `${type} arrives`,
      () => Promise.resolve(told().some((each) => each.type === type)),
      LONG,
    );

  // holds: hooks.condition-once
  it('are each told once when they begin and once when they end, although each replica is killed', async function () {
    this.timeout(600_000);
    await act('POST', '/workers', {
      queue,
      endpoint: { url: endpoint.origin, method: 'post' },
      opts: { concurrency: 50, maxStalledCount: 10 },
    });
    await act('PUT', '/hooks/on-call', {
      url: receiver.origin,
      events: ['queue.failing'],
      // A replica that is killed takes up to eight seconds of counts with it: the end comes with that of the window.
      when: { failureRate: { over: 0.5, window: 60_000 } },
      for: 0,
    });
    await Promise.all([add('fails', JOBS), killEach()]);
    await ended('failed', JOBS);
    await arrived('queue.failing');
    endpoint.respond = answer(200);
    await Promise.all([add('works', 2 * JOBS), killEach()]);
    await ended('completed', 2 * JOBS);
    await arrived('queue.failing.resolved');
    // Two more looks find nothing new.
    await sleep(25_000);
    expect(
      told().map(({ type, data }) => [type, data.queues.map((each) => each.queue)]),
    ).to.deep.equal([
      ['queue.failing', [queue]],
      ['queue.failing.resolved', [queue]],
    ]);
  });

  /** Kills each replica once, at some moment, and starts another in its place. */
  async function killEach(): Promise<void> {
    for (const service of [...replicas.running]) {
      await sleep(randomInt(500, 12_000));
      await replicas.crash(service);
      await replicas.add();
    }
  }
});
