import { expect } from 'chai';
import { answer, EndpointServer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { testStore } from '../support/redis/test-store.ts';
import { ServiceProcess } from '../support/service-process.ts';

const HOUR = 3_600_000;

const JOB = { name: 'a', data: 1 };

describe('the reason why no job of a queue starts, over two replicas', () => {
  let silent: EndpointServer;
  let failing: EndpointServer;
  let replicas: readonly ServiceProcess[];

  before(async () => {
    const { uri } = await testStore();
    const environment = { STORE_URI: uri, WORKER_METADATA_KEY: `blocked:${process.pid}` };
    const starts = [ServiceProcess.start(environment), ServiceProcess.start(environment)];
    replicas = await Promise.all(starts);
    silent = await EndpointServer.start(() => undefined);
    failing = await EndpointServer.start(answer(500));
  });
  after(async () => {
    await Promise.all(replicas.map((replica) => replica.kill()));
    await Promise.all([silent.close(), failing.close()]);
  });

  const queueOf = (reason: string): string => `blocked-${process.pid}-${reason}`;

  async function act(method: string, path: string, body?: unknown): Promise<void> {
    const answered = await replicas[0]!.call(method, path, body);
    expect(answered.status, `${method} ${path}`).to.equal(200);
  }

  const add = (reason: string, ...jobs: readonly object[]): Promise<void> =>
    act('POST', `/queues/${queueOf(reason)}/jobs`, jobs);

  const register = (reason: string, { url }: EndpointServer, opts: object = {}): Promise<void> =>
    act('POST', '/workers', { queue: queueOf(reason), endpoint: { url, method: 'post' }, opts });

  const PROVOKED: Readonly<Record<string, (reason: string) => Promise<void>>> = {
    paused: async (reason) => {
      await add(reason, JOB);
      await act('POST', `/queues/${queueOf(reason)}/pause`);
    },
    held: async (reason) => {
      await add(reason, JOB);
      await act('POST', `/queues/${queueOf(reason)}/hold`, { for: HOUR });
    },
    disabled: async (reason) => {
      await register(reason, silent);
      await act('POST', `/workers/${queueOf(reason)}/disable`, { reason: 'moved' });
      await add(reason, JOB);
    },
    open: async (reason) => {
      await register(reason, failing, { breaker: { failures: 1, openFor: HOUR } });
      await add(reason, JOB, JOB);
    },
    'no-worker': (reason) => add(reason, JOB),
    limiter: async (reason) => {
      await register(reason, failing, { limiter: { max: 1, duration: HOUR } });
      await add(reason, JOB, JOB);
    },
    concurrency: async (reason) => {
      await register(reason, silent, { concurrency: 1 });
      await add(reason, JOB, JOB);
    },
    groups: async (reason) => {
      await register(reason, silent, { concurrency: 10, groups: { concurrency: 1 } });
      const ofGroup = { ...JOB, opts: { group: { id: 'acme' } } };
      await add(reason, ofGroup, ofGroup);
    },
    delayed: async (reason) => {
      await register(reason, silent);
      await add(reason, { ...JOB, opts: { delay: HOUR } });
    },
  };

  for (const [reason, provoke] of Object.entries(PROVOKED)) {
    // holds: sight.blocked
    it(`is reported alike by both: ${reason}`, async () => {
      await provoke(reason);
      for (const replica of replicas) {
        const detail = await eventually(`${reason} is the reason`, async () => {
          const { body } = await replica.call('GET', `/queues/${queueOf(reason)}`);
          const { blocked } = body as { blocked: { reason: string; detail: string } | null };
          return blocked?.reason === reason && blocked.detail;
        });
        expect(detail).to.match(/^[A-Z0-9].* .*\w$/);
      }
    });
  }

  // holds: sight.blocked
  it('is null while jobs start', async () => {
    await register('nothing', silent, { concurrency: 10 });
    await add('nothing', JOB, JOB);
    for (const replica of replicas) {
      const { body } = await replica.call('GET', `/queues/${queueOf('nothing')}`);
      expect(body).to.have.property('blocked', null);
    }
  });
});
