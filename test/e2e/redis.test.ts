import { expect } from 'chai';
import { Queue } from 'bullmq';
import { EndpointServer } from '../support/endpoint-server.ts';
import { testStore } from '../support/redis/test-store.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { describeService } from './service/describe-service.ts';

async function environment(): Promise<Record<string, string>> {
  const { uri } = await testStore();
  return { STORE_URI: uri, WORKER_METADATA_KEY: `e2e:${process.pid}:workers` };
}

/** Other test files have services on the same Redis, which would send callbacks under the policies that they know. */
const PREFIX = `e2e-${process.pid}`;

describeService(
  'STORE=redis',
  async () => ({ ...(await environment()), QUEUE_PREFIX: PREFIX }),
  PREFIX,
);

describe('STORE=redis, with jobs of a native producer', () => {
  const name = `named-${process.pid}`;
  let service: ServiceProcess;
  let queue: Queue;

  before(async () => {
    const { uri } = await testStore();
    service = await ServiceProcess.start(await environment());
    queue = new Queue(name, { connection: { url: uri } });
  });
  after(async () => {
    await queue.close();
    await service.call('DELETE', `/workers/${name}`);
    await service.stop();
  });

  // holds: destinations.native
  it('calls the destination of a job, and ignores what is none', async () => {
    const [usual, elsewhere] = [await EndpointServer.start(), await EndpointServer.start()];
    const given = [{ url: elsewhere.url }, { url: 'no url' }, { url: 1 }, 'x', null, [], {}];
    for (const endpoint of given) await queue.add('native', 1, { endpoint } as object);
    const worker = { queue: name, endpoint: { url: usual.url, method: 'post' } };
    expect((await service.call('POST', '/workers', worker)).status).to.equal(200);
    for (const each of given.slice(1)) {
      expect((await usual.nextCall()).headers, JSON.stringify(each)).to.include({
        'jobgate-job-name': 'native',
      });
    }
    expect((await elsewhere.nextCall()).body.job.opts).to.have.property('endpoint');
    expect(usual.calls).to.have.lengthOf(given.length - 1);
    await Promise.all([usual.close(), elsewhere.close()]);
  });
});

describe('STORE=redis, with a job scheduler of a native producer', () => {
  const name = `scheduled-${process.pid}`;
  let service: ServiceProcess;
  let endpoint: EndpointServer;
  let queue: Queue;

  before(async () => {
    const { uri } = await testStore();
    service = await ServiceProcess.start(await environment());
    endpoint = await EndpointServer.start();
    queue = new Queue(name, { connection: { url: uri } });
  });
  after(async () => {
    await queue.removeJobScheduler('often');
    await queue.close();
    await service.call('DELETE', `/workers/${name}`);
    await service.stop();
    await endpoint.close();
  });

  it('delivers one scheduled job after the other', async () => {
    await queue.upsertJobScheduler('often', { every: 100 });
    const worker = { queue: name, endpoint: { url: endpoint.url, method: 'post' } };
    expect((await service.call('POST', '/workers', worker)).status).to.equal(200);
    for (let count = 0; count < 3; count += 1) await endpoint.nextCall();
  });
});
