import { expect } from 'chai';
import { Redis } from 'ioredis';
import { EndpointServer } from '../support/endpoint-server.ts';
import { isSlowLane } from '../support/lane.ts';
import { testStore } from '../support/redis/test-store.ts';
import { ServiceProcess } from '../support/service-process.ts';

/** A token in the form of a job's. */
const TOKEN = 'x'.repeat(32);

const ANY = { data: 1 };

/** Every call that names a job, with the answer for an id that no job has. */
const CALLS: readonly (readonly [method: string, rest: string, status: number, body?: unknown])[] =
  [
    ['POST', '/progress', 401, 1],
    ['POST', '/logs', 401, 'a line'],
    ['POST', '/complete', 401, 1],
    ['POST', '/fail', 401, { reason: 'none' }],
    ['POST', '/extend', 401, { lock: 1000 }],
    ['POST', '/release', 401, {}],
    ['POST', '/release', 401, { delay: 1000 }],
    ['GET', '', 404],
    ['GET', '/logs', 404],
    ['GET', '/attempts', 404],
    ['GET', '/children', 404],
    ['GET', '/result?timeout=0', 404],
    ['POST', '/promote', 404],
    ['POST', '/retry', 404],
    ['POST', '/cancel', 404],
    ['PATCH', '', 404, ANY],
    ['PATCH', '', 404, { priority: 1 }],
    ['PATCH', '', 404, { delay: 1 }],
    ['DELETE', '', 404],
  ];

/** The names of all keys that a queue can have, except those of its jobs. */
const KEYS = [
  ...['wait', 'paused', 'active', 'prioritized', 'pc', 'delayed', 'completed', 'failed', 'id'],
  ...['stalled', 'stalled-check', 'limiter', 'meta', 'events', 'marker', 'repeat', 'priority'],
  ...['waiting-children', 'metrics', 'de', 'dn', 'metrics:completed', 'metrics:completed:data'],
  ...['1:logs', '1:lock', '1:dependencies', '1:processed', '1:failed', '1:unsuccessful'],
  ...['repeat:nightly', 'de:same', 'jobgate:policy', 'jobgate:calls', 'jobgate:hold'],
  ...['jobgate:accepted', 'jobgate:expiring', 'jobgate:idempotency', `jobgate:report-${TOKEN}`],
];

/** The ids of jobs: those that the store gave, those of a flow, and those of schedulers. */
function isJob(key: string): boolean {
  return /^(?:\d+|family|[\w-]{32}-1|repeat:nightly:\d+)$/.test(key);
}

async function stores(): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>> {
  const { uri } = await testStore();
  return { redis: { STORE_URI: uri }, memory: { STORE: 'memory' } };
}

// The keys of Redis name jobs on Redis alone, if anywhere.
for (const store of isSlowLane ? ['redis', 'memory'] : ['redis']) {
  describe(`The keys of a queue with STORE=${store}`, () => {
    const queue = `keys-${process.pid}`;
    const path = `/queues/${queue}`;
    let service: ServiceProcess;
    let endpoint: EndpointServer;
    let keys: readonly string[] = KEYS;

    before(async () => {
      const environment = (await stores())[store]!;
      service = await ServiceProcess.start({
        ...environment,
        WORKER_METADATA_KEY: `keys:${process.pid}:workers`,
      });
      endpoint = await EndpointServer.start();
      await fill();
      if (environment['STORE_URI'] === undefined) return;
      const redis = new Redis(environment['STORE_URI']);
      const prefix = `bull:${queue}:`;
      const found = (await redis.keys(`${prefix}*`)).map((key) => key.slice(prefix.length));
      keys = [...new Set([...KEYS, ...found.filter((key) => !isJob(key))])];
      redis.disconnect();
    });
    after(async () => {
      await service.call('DELETE', `/queues/${queue}?confirm=${queue}&force=true`);
      await service.stop();
      await endpoint.close();
    });

    const must = async (method: string, rest: string, body?: unknown): Promise<unknown> => {
      const answer = await service.call(method, rest, body);
      expect(answer.status, `${method} ${rest}`).to.equal(200);
      return answer.body;
    };

    const countsNow = async (): Promise<unknown> =>
      ((await must('GET', path)) as { readonly counts: unknown }).counts;

    /** Adds jobs of all kinds, so that the queue has as many keys as possible. */
    async function fill(): Promise<void> {
      const jobs = (...some: readonly object[]) =>
        must(
          'POST',
          `${path}/jobs`,
          some.map((opts) => ({ name: 'a', data: 1, opts })),
        );
      await jobs({ delay: 60_000 }, { priority: 3 }, { ttl: 60_000 });
      await jobs({ deduplication: { id: 'same' } }, {});
      const repeat = { every: 3_600_000 };
      await must('PUT', `${path}/schedulers/nightly`, { repeat, job: { name: 'a', data: 1 } });
      await must('PUT', `${path}/policy`, { maxWaiting: 1000 });
      await must('POST', '/flows', {
        ...{ queue, name: 'parent', data: 1, opts: { jobId: 'family' } },
        children: [{ queue, name: 'child', data: 1 }],
      });
      const claimed = (await must('POST', `${path}/jobs/claim`, { count: 3 })) as {
        readonly job: { readonly id: string };
        readonly token: string;
      }[];
      const report = (index: number, verb: string, body: unknown) => {
        const { job, token } = claimed[index]!;
        return service.call('POST', `${path}/jobs/${job.id}/${verb}`, body, token);
      };
      await report(0, 'logs', 'a line');
      await report(0, 'complete', 1);
      await report(1, 'fail', { reason: 'none' });
      await must('POST', `${path}/hold`, { for: 60_000 });
    }

    // holds: security.keys-as-job-ids
    it('never count as jobs, in any call', async () => {
      const before = await countsNow();
      const wrong: string[] = [];
      for (const key of keys) {
        for (const [method, rest, status, body] of CALLS) {
          const target = `${path}/jobs/${encodeURIComponent(key)}${rest}`;
          const answer = await service.call(
            method,
            target,
            body,
            status === 401 ? TOKEN : undefined,
          );
          if (answer.status !== status)
            wrong.push(`${method} ${key}${rest}: ${answer.status} ${JSON.stringify(answer.body)}`);
        }
        const flow = await service.call('GET', `/flows/${queue}/${encodeURIComponent(key)}`);
        if (flow.status !== 404) wrong.push(`flow ${key}: ${flow.status}`);
      }
      expect(wrong).to.deep.equal([]);
      expect(await countsNow()).to.deep.equal(before);
      const warnings = service.logs.filter(({ level }) => level === 'warn' || level === 'error');
      expect(warnings.map(({ message }) => message)).not.to.include('The store is unavailable');
    });
  });
}
