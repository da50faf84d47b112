import { expect } from 'chai';
import { Redis } from 'ioredis';
import { eventually } from '../support/eventually.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { StartedServices } from '../support/started-services.ts';

const LOST = 'The store came back without its data';
const WORKER = { queue: 'mail', endpoint: { url: 'http://127.0.0.1:9/', method: 'post' } };
const JOBS = [
  { name: 'job', data: 1 },
  { name: 'job', data: 2, opts: { delay: 60_000 } },
];

/** Names the data of the store; written by the first replica that looks at them. */
const DATA_ID = 'bull::jobgate:data';

describe('A store that comes back empty', () => {
  const services = new StartedServices();
  let server: RedisServer;

  beforeEach(async () => {
    server = await RedisServer.start();
  });
  afterEach(async () => {
    await services.kill();
    await server.stop();
  });

  // holds: security.emptied-store
  it('is one warning, with what this replica saw in it and what it holds now', async () => {
    const first = await services.start({ STORE_URI: server.uri });
    await first.call('POST', '/workers', WORKER);
    await first.call('POST', '/queues/letters/jobs', JOBS);
    await first.stop();
    const redis = new Redis(server.uri);
    await redis.del(DATA_ID);
    const service = await services.start({ STORE_URI: server.uri });
    await eventually('the replica has looked at the store', async () => {
      return (await redis.exists(DATA_ID)) === 1;
    });
    redis.disconnect();
    await server.kill();
    await server.restart();
    const line = await eventually('the loss is logged', () =>
      Promise.resolve(service.logs.find(({ message }) => message === LOST)),
    );
    expect(line['level']).to.equal('warn');
    expect(line['before']).to.include({ queues: 2, jobs: 2, workers: 1 }).and.have.property('at');
    expect(line['now']).to.include({ queues: 0, jobs: 0, workers: 0 });
    await service.stop();
    expect(service.logs.filter(({ message }) => message === LOST)).to.have.length(1);
  }).timeout(60_000);
});
