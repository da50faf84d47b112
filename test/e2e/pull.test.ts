import { expect } from 'chai';
import { EndpointServer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';

/** Jobs that nothing holds any more are found in a second instead of a minute. */
const QUICK = { LOCK_DURATION: '1000', STALLED_INTERVAL: '500' };

interface Claimed {
  readonly job: { readonly id: string };
  readonly token: string;
}

describe('workers that pull', () => {
  const services = new StartedServices();
  // All replicas of a store check queues with pulled jobs, each at its own interval, so no other replica may run.
  let store: RedisServer;
  let one: ServiceProcess;
  let other: ServiceProcess;
  let endpoint: EndpointServer;
  let round = 0;
  let queue: string;
  let isOneDead = false;

  const start = (): Promise<ServiceProcess> =>
    services.start({
      ...QUICK,
      DEBUG: 'true',
      STORE_URI: store.uri,
      PUBLIC_URL: 'http://jobs.example.com/',
    });

  before(async () => {
    store = await RedisServer.start();
    [one, other] = [await start(), await start()];
  });

  after(async () => {
    await services.kill();
    await store.stop();
  });

  beforeEach(async () => {
    round += 1;
    queue = `pull-${process.pid}-${round}`;
    if (isOneDead) one = await start();
    isOneDead = false;
    endpoint = await EndpointServer.start(() => undefined);
  });

  afterEach(() => endpoint.close());

  /** The next test has another one. */
  const killOne = (): void => {
    one.signal('SIGKILL');
    isOneDead = true;
  };

  const add = async (count = 1, opts: object = {}): Promise<void> => {
    const jobs = Array.from({ length: count }, () => ({ name: 'work', data: 1, opts }));
    expect((await one.call('POST', `/queues/${queue}/jobs`, jobs)).status).to.equal(200);
  };

  const claim = async (service: ServiceProcess, body: object): Promise<readonly Claimed[]> => {
    const answer = await service.call('POST', `/queues/${queue}/jobs/claim`, body);
    expect(answer.status).to.equal(200);
    return answer.body as readonly Claimed[];
  };

  const report = async (
    service: ServiceProcess,
    verb: string,
    { id, token }: { readonly id: string; readonly token: string },
    body: unknown,
  ): Promise<number> => {
    const { status } = await fetch(`${service.url}/queues/${queue}/jobs/${id}/${verb}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    return status;
  };

  const read = async (service: ServiceProcess, id = '1') =>
    (await service.call('GET', `/queues/${queue}/jobs/${id}`)).body as Record<string, unknown>;

  // holds: pull.wait
  it('get a job that is added through another replica at once', async () => {
    const waiting = claim(other, { wait: 30_000 });
    await add();
    const [{ job, token }] = (await waiting) as [Claimed];
    expect(await report(one, 'complete', { id: job.id, token }, { done: true })).to.equal(200);
    expect(await read(other)).to.deep.include({
      state: 'completed',
      returnvalue: { done: true },
    });
    expect(await report(other, 'complete', { id: job.id, token }, 5)).to.equal(200);
    expect(await report(other, 'fail', { id: job.id, token }, { reason: 'no' })).to.equal(401);
  });

  // holds: pull.stalled, reports.dead-token
  it('lose a job whose lock runs out, even if the replica that gave it is dead', async () => {
    await add();
    const [{ job, token }] = (await claim(one, { lock: 1000 })) as [Claimed];
    killOne();
    const again = await eventually('the job is given again', async () => {
      const [claimed] = await claim(other, { wait: 500 });
      return claimed;
    });
    expect(again.job.id).to.equal(job.id);
    expect(await report(other, 'complete', { id: job.id, token }, 1)).to.equal(401);
    const now = { id: job.id, token: again.token };
    expect(await report(other, 'complete', now, 2)).to.equal(200);
    expect(await read(other)).to.include({ state: 'completed', returnvalue: 2 });
  });

  // holds: pull.claim
  it('share a backlog, and none gets a job twice', async () => {
    await add(300);
    const seen: string[] = [];
    const work = async (service: ServiceProcess): Promise<void> => {
      for (;;) {
        const claimed = await claim(service, { count: 40, lock: 60_000 });
        if (claimed.length === 0) return;
        for (const { job, token } of claimed) {
          seen.push(job.id);
          expect(await report(service, 'complete', { id: job.id, token }, null)).to.equal(200);
        }
      }
    };
    await Promise.all([one, other, one, other].map(work));
    expect(seen).to.have.lengthOf(300);
    expect(new Set(seen)).to.have.property('size', 300);
    const { body } = await one.call('GET', `/queues/${queue}/jobs?length=1`);
    expect(body).to.deep.nested.include({ 'counts.completed': 300, 'counts.active': 0 });
  });

  const register = (deferTimeout: number) =>
    one.call('POST', '/workers', {
      queue,
      endpoint: { url: endpoint.url, method: 'post', accepted: 'defer', deferTimeout },
    });

  // holds: deferred.accept, deferred.callback
  it('complete what they accepted through any replica, after the death of another', async () => {
    endpoint.respond = (_call, response) => void response.writeHead(202).end();
    await register(3_600_000);
    await add();
    const { body, headers } = await endpoint.nextCall();
    expect(headers).to.include({
      'jobgate-callback': `http://jobs.example.com/queues/${queue}/jobs/1`,
    });
    // The call is seen before its answer: a replica that dies in between leaves an attempt that was not accepted.
    await eventually('the acceptance is recorded', () => {
      const lines = [one, other].flatMap(({ logs }) => logs);
      const isAccepted = lines.some(({ message }) => message === 'Job accepted by its endpoint');
      return Promise.resolve(isAccepted);
    });
    killOne();
    // Longer than its lock would have lasted: no event shows that a job did not count as stalled.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(await read(other)).to.include({ state: 'active', attemptsStarted: 1 });
    const held = { id: '1', token: body.token };
    expect(await report(other, 'progress', held, 50)).to.equal(200);
    expect(await report(other, 'complete', held, 'done')).to.equal(200);
    expect(await read(other)).to.include({ state: 'completed', returnvalue: 'done' });
  });

  // holds: deferred.overdue
  it('fail the attempt at a job that they accepted but did not complete in time', async () => {
    endpoint.respond = (_call, response) => void response.writeHead(202).end();
    await register(1000);
    await add(1, { attempts: 2 });
    const first = await endpoint.nextCall();
    const second = await endpoint.nextCall();
    expect(second.body.job).to.deep.include({
      attemptsMade: 1,
      failedReason: 'Endpoint did not complete within 1000 ms',
    });
    const held = { id: '1', token: first.body.token };
    expect(await report(one, 'complete', held, 1)).to.equal(401);
    const failed = await eventually('the job fails', async () => {
      const job = await read(other);
      return job['state'] === 'failed' && job;
    });
    expect(failed).to.include({ attemptsMade: 2 });
    const { body } = await other.call('GET', `/queues/${queue}/jobs/1/attempts`);
    const { attempts } = body as { readonly attempts: readonly { readonly outcome: string }[] };
    expect(attempts.map(({ outcome }) => outcome)).to.deep.equal(['timeout', 'timeout']);
  });
});
