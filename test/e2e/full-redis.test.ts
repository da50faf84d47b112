import { expect } from 'chai';
import { Redis } from 'ioredis';
import { InProcessService } from '../support/in-process-service.ts';
import { RedisServer } from '../support/redis/redis-server.ts';

describe('A Redis whose memory is used up', () => {
  let server: RedisServer;
  let redis: Redis;
  let service: InProcessService;

  before(async () => {
    server = await RedisServer.start();
    redis = new Redis(server.uri);
    service = await InProcessService.start({ STORE_URI: server.uri });
  });
  after(async () => {
    await service.kill();
    redis.disconnect();
    await server.stop();
  });

  // holds: store.full-memory
  it('refuses jobs, and lets clients act on those that it has and remove them', async () => {
    const jobs = [1, 2, 3, 4, 5, 6].map((data) => ({ name: 'job', data }));
    const add = () => service.call('POST', '/queues/mail/jobs', jobs);
    expect((await add()).status).to.equal(200);
    await redis.config('SET', 'maxmemory', 1);
    expect(await add()).to.deep.include({
      status: 503,
      body: 'The memory of the store is used up; remove jobs or give the store more',
    });
    const acts = [
      ['POST', '/queues/mail/pause'],
      ['POST', '/queues/mail/resume'],
      ['POST', '/queues/mail/hold', { for: 60_000 }],
      ['DELETE', '/queues/mail/hold'],
      ['POST', '/queues/mail/jobs/1/cancel'],
      ['POST', '/queues/mail/jobs/1/retry'],
      ['PATCH', '/queues/mail/jobs/1', { priority: 3 }],
      ['DELETE', '/queues/mail/jobs/1'],
      ['POST', '/queues/mail/cancel', { filter: { ids: ['2'] } }],
      ['POST', '/queues/mail/retry', { filter: { ids: ['2'] } }],
      ['POST', '/queues/mail/cancel', { filter: { ids: ['3'] } }],
      ['POST', '/queues/mail/clean', { all: true }],
      ['POST', '/queues/mail/drain'],
      ['DELETE', '/queues/mail?confirm=mail'],
    ] as const;
    for (const [method, path, body] of acts) {
      const { status, body: answer } = await service.call(method, path, body);
      expect(status, `${method} ${path}: ${JSON.stringify(answer)}`).to.be.oneOf([200, 204]);
    }
    const { body } = await service.call('GET', '/audit');
    expect(JSON.stringify(body)).to.include('queue.drain');
    await redis.config('SET', 'maxmemory', 0);
    expect((await add()).status).to.equal(200);
  });
});
