import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { answer, EndpointServer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import type { RedisServer } from '../support/redis/redis-server.ts';
import { startDurableRedis } from './support/outage.ts';
import { Replicas } from './support/replicas.ts';

const JOBS = Number(process.env['JOBS'] ?? 5000);
const BATCH = 500;

/** How long (ms) a busy machine may take. */
const LONG = 300_000;

/** Jobs of a replica that was killed are found in about a second instead of a minute. */
const QUICK = { LOCK_DURATION: '1000', STALLED_INTERVAL: '500' };

/** How jobs end, by turns: completed, failed after two attempts, expired if nobody is quick, cancelled if still there. */
const KINDS = ['completes', 'fails', 'expires', 'cancelled'] as const;

interface Told {
  readonly type: string;
  readonly data: { readonly id: string; readonly run: number };
}

describe('callbacks of jobs', () => {
  let store: RedisServer;
  let replicas: Replicas;
  let endpoint: EndpointServer;
  let receiver: EndpointServer;
  const queue = `callbacks-${process.pid}`;

  beforeEach(async () => {
    store = await startDurableRedis();
    replicas = await Replicas.start(3, { STORE_URI: store.uri, ...QUICK });
    endpoint = await EndpointServer.start((call, index) =>
      answer(call.text.includes('"fails-') ? 500 : 200)(call, index),
    );
    receiver = await EndpointServer.start(answer(204, ''));
  });
  afterEach(async () => {
    await replicas.kill();
    await Promise.all([endpoint.close(), receiver.close()]);
    await store.stop();
  });

  const idOf = (job: number): string => `${KINDS[job % KINDS.length] ?? ''}-${job}`;

  const insistently = (method: string, path: string, body?: unknown): Promise<unknown> =>
    eventually(
      `${method} ${path}`,
      () =>
        replicas.next.call(method, path, body).then(
          ({ status }) => status === 200 || status === 404 || status === 409,
          () => false,
        ),
      LONG,
    );

  /** Adds by ids of their own, again when the replica dies meanwhile. */
  async function add(): Promise<void> {
    const callback = { url: receiver.url };
    for (let first = 0; first < JOBS; first += BATCH) {
      const batch = Array.from({ length: BATCH }, (_, index) => {
        const jobId = idOf(first + index);
        const ttl = jobId.startsWith('expires') ? { ttl: 1 } : {};
        return { name: 'work', data: null, opts: { jobId, attempts: 2, callback, ...ttl } };
      });
      await insistently('POST', `/queues/${queue}/jobs`, batch);
    }
  }

  async function cancel(): Promise<void> {
    for (let job = KINDS.indexOf('cancelled'); job < JOBS; job += 4 * KINDS.length) {
      await insistently('POST', `/queues/${queue}/jobs/${idOf(job)}/cancel`, {});
    }
  }

  /** Cuts all connections to the store, twice a second. */
  async function cutConnections(until: Promise<unknown>): Promise<void> {
    const admin = new Redis(store.uri);
    const over = new AbortController();
    void until.finally(() => {
      over.abort();
    });
    while (!over.signal.aborted) {
      await admin.client('KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      await sleep(500);
    }
    admin.disconnect();
  }

  // holds: callbacks.once
  it('exist exactly for the jobs that ended, whoever dies meanwhile', async function () {
    this.timeout(900_000);
    const callbacks = { origins: [receiver.origin] };
    await insistently('PUT', `/queues/${queue}/policy`, { callbacks });
    await insistently('POST', '/workers', {
      queue,
      endpoint: { url: endpoint.url, method: 'post' },
      opts: { concurrency: 20, maxStalledCount: 100 },
    });
    const unended = { name: 'later', data: null, opts: { jobId: 'later', delay: 3_600_000 } };
    const callback = { url: receiver.url };
    await insistently('POST', `/queues/${queue}/jobs`, [
      { ...unended, opts: { ...unended.opts, callback } },
    ]);
    const work = Promise.all([add(), cancel()]);
    await Promise.all([work, replicas.crashEachSecond(8), cutConnections(work)]);
    await eventually(
      'all jobs end',
      async () => {
        const { body } = await replicas.next.call('GET', `/queues/${queue}`);
        const { completed = 0, failed = 0 } = (body as { counts: Record<string, number> }).counts;
        return completed + failed === JOBS;
      },
      LONG,
    );
    const messages = new Map<string, Told>();
    await eventually(
      'all callbacks arrive',
      () => {
        for (const { headers, text } of receiver.calls) {
          messages.set(String(headers['webhook-id']), JSON.parse(text) as Told);
        }
        return Promise.resolve(messages.size >= JOBS);
      },
      LONG,
    );
    // Nothing more comes.
    await sleep(3000);
    for (const { headers, text } of receiver.calls) {
      messages.set(String(headers['webhook-id']), JSON.parse(text) as Told);
    }
    const ids = [...messages.values()].map(({ data }) => data.id);
    expect(ids).to.have.lengthOf(JOBS);
    expect(new Set(ids).size).to.equal(JOBS);
    expect(ids).not.to.include('later');
    for (const { type, data } of messages.values()) {
      expect(data.run).to.equal(1);
      if (data.id.startsWith('fails')) expect(type).to.equal('job.failed');
      if (data.id.startsWith('completes')) expect(type).to.equal('job.completed');
    }
    const kinds = { completed: 0, failed: 0 };
    for (const { type } of messages.values())
      kinds[type === 'job.completed' ? 'completed' : 'failed'] += 1;
    console.log(
      `      ${JOBS} jobs: ${kinds.completed} completed, ${kinds.failed} failed, ${receiver.calls.length} deliveries`,
    );
  });
});
