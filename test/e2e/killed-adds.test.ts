import { expect } from 'chai';
import { Redis } from 'ioredis';
import { CuttingProxy } from '../support/cutting-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';
import { isSlowLane } from '../support/lane.ts';

/** More than one run of a script adds. */
const MANY = 3000;

const QUEUE = 'killed';
const PATH = `/queues/${QUEUE}`;

/** The name of the last third of the jobs: the replica is killed when the store gets the first of these. */
const LATE = 'late-work';

/** Bytes of jobs that are certainly stored by then. */
const STORED = 50_000;

function jobs(count: number, opts: (position: number) => object): readonly object[] {
  return Array.from({ length: count }, (_, position) => ({
    name: position < (2 / 3) * MANY ? 'work' : LATE,
    data: 'x'.repeat(100),
    opts: opts(position),
  }));
}

const inGroups = (position: number): object => ({ group: { id: `group-${position}` } });

const FLOW = {
  queue: QUEUE,
  name: 'report',
  data: 1,
  opts: { jobId: 'root' },
  children: jobs(MANY - 1, inGroups).map((job) => ({ queue: QUEUE, ...job })),
};

const ADDS: readonly (readonly [what: string, path: string, body: unknown])[] = [
  ['plain jobs', `${PATH}/jobs`, jobs(MANY, () => ({}))],
  ['jobs in groups', `${PATH}/jobs`, jobs(MANY, inGroups)],
  ['jobs with ids', `${PATH}/jobs`, jobs(MANY, (n) => ({ jobId: `job-${n}` }))],
  ['a flow', '/flows', FLOW],
];

describe('a replica that is killed while it adds many jobs', () => {
  const services = new StartedServices();
  let server: RedisServer;
  let redis: Redis;
  let other: ServiceProcess;
  let proxy: CuttingProxy | undefined;

  beforeEach(async () => {
    server = await RedisServer.start();
    redis = new Redis(server.uri);
    other = await services.start({ STORE_URI: server.uri });
  });

  afterEach(async () => {
    await services.kill();
    await proxy?.close();
    redis.disconnect();
    await server.stop();
  });

  const headers = {
    authorization: `Bearer ${ServiceProcess.token}`,
    'idempotency-key': 'the-add',
  };

  function send(service: ServiceProcess, path: string, body: unknown): Promise<number> {
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    return fetch(service.url + path, request).then(async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    });
  }

  /** What readers see of the queue: every list that has jobs, counts or groups. */
  async function seen(): Promise<unknown> {
    const paths = [PATH, `${PATH}/jobs`, `${PATH}/jobs/search`, `${PATH}/groups`, '/queues'];
    const answers = [];
    for (const path of paths) {
      const { status, body } = await other.call('GET', path);
      answers.push([path, status, body]);
    }
    return answers;
  }

  const keysOfQueue = (): Promise<readonly string[]> => redis.keys(`*${QUEUE}*`);

  const storedBytes = async (): Promise<number> => {
    const keys = await keysOfQueue();
    const sizes = await Promise.all(keys.map((key) => redis.memory('USAGE', key)));
    return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  };

  const keysThatStay = async (): Promise<readonly string[]> => {
    const keys = await keysOfQueue();
    const lives = await Promise.all(keys.map((key) => redis.pttl(key)));
    return keys.filter((_, place) => lives[place] === -1);
  };

  for (const [what, path, body] of isSlowLane ? ADDS : ADDS.slice(-1)) {
    // holds: adding.large, add.atomic
    it(`leaves nothing of ${what}, and the add can be repeated`, async () => {
      const before = await seen();
      proxy = await CuttingProxy.start(server.port);
      const dying = await services.start({ STORE_URI: `redis://127.0.0.1:${proxy.port}` });
      const frozen = proxy.freezeAt(LATE);
      const lost = send(dying, path, body).catch(() => 'no answer');
      await frozen;
      await dying.kill();
      expect(await lost).to.equal('no answer');
      await proxy.close();
      await eventually('a part of the add is stored', async () => (await storedBytes()) > STORED);

      expect(await seen()).to.deep.equal(before);
      // Replicas discard what is left once it is a minute old.
      const register = 'bull::jobgate:staged';
      for (const add of await redis.zrange(register, 0, -1))
        await redis.zadd(register, 'XX', 1, add);
      await eventually('what is left expires or is removed', async () => {
        // Numbers that were given to jobs are never given again.
        return (await keysThatStay()).every((key) => key === `bull:${QUEUE}:id`);
      });

      // The key of an add in progress is claimed for some seconds.
      const status = await eventually('the claim of the key expires', async () => {
        const answered = await send(other, path, body);
        return answered !== 409 && answered;
      });
      expect(status).to.equal(200);
      const { body: queue } = await other.call('GET', PATH);
      const { counts } = queue as { counts: Readonly<Record<string, number>> };
      const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
      expect(total).to.equal(MANY);
      await other.call('DELETE', `${PATH}?confirm=${QUEUE}&force=true`);
      expect(await keysThatStay()).to.deep.equal([]);
    });
  }
});
