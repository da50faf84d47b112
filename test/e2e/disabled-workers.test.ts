import { expect } from 'chai';
import { EndpointServer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { testStore } from '../support/redis/test-store.ts';
import { ServiceProcess } from '../support/service-process.ts';

describe('a worker over two replicas', () => {
  let endpoint: EndpointServer;
  let replicas: readonly ServiceProcess[];
  const queue = `two-replicas-${process.pid}`;

  before(async () => {
    const { uri } = await testStore();
    const environment = { STORE_URI: uri, WORKER_METADATA_KEY: `two-replicas:${process.pid}` };
    const starts = [ServiceProcess.start(environment), ServiceProcess.start(environment)];
    replicas = await Promise.all(starts);
    endpoint = await EndpointServer.start();
    await register(queue);
  });
  after(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await endpoint.close();
  });

  const register = (name: string): Promise<unknown> =>
    replicas[0]!.call('POST', '/workers', {
      queue: name,
      endpoint: { url: endpoint.url, method: 'post' },
      opts: { concurrency: 4 },
    });

  const add = (jobs: number, name = queue): Promise<unknown> =>
    replicas[0]!.call(
      'POST',
      `/queues/${name}/jobs`,
      Array.from({ length: jobs }, () => ({ name: 'a', data: 1 })),
    );

  const health = async (replica: ServiceProcess, name = queue): Promise<Record<string, unknown>> =>
    (await replica.call('GET', `/workers/${name}/health`)).body as Record<string, unknown>;

  // holds: worker-health.replicas
  it('has one health, which counts the calls of both replicas', async () => {
    await add(40);
    for (const replica of replicas) {
      await eventually('all calls are counted', async () => {
        const { calls, failures } = await health(replica);
        return calls === 40 && failures === 0;
      });
    }
  });

  // holds: worker-disabling.replicas
  it('is disabled and enabled on both within a second', async () => {
    const [one, two] = replicas;
    await one!.call('POST', `/workers/${queue}/disable`, { reason: 'moved' });
    await Promise.all(replicas.map((replica) => replica.logged('Worker disabled', 1000)));
    await add(20);
    // Jobs of another queue that complete meanwhile prove that there was time for a call.
    const other = `${queue}-other`;
    await register(other);
    await add(20, other);
    await eventually('the jobs of the other queue are called for', async () => {
      return (await health(one!, other))['calls'] === 20;
    });
    expect(await health(two!)).to.include({ state: 'disabled', reason: 'moved', calls: 40 });
    await two!.call('POST', `/workers/${queue}/enable`);
    await eventually('the jobs that waited are called for', async () => {
      return (await health(one!))['calls'] === 60;
    });
  });
});
