import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { ServiceProcess } from '../../support/service-process.ts';
import { StartedServices } from '../../support/started-services.ts';
import { isSlowLane } from '../../support/lane.ts';

/** In milliseconds. */
const WITHIN = 60_000;

describe('The retention of ended jobs on two replicas', () => {
  const services = new StartedServices();
  let store: RedisServer;
  let one: ServiceProcess;
  let other: ServiceProcess;

  before(async () => {
    store = await RedisServer.start();
    const environment = {
      STORE_URI: store.uri,
      DEFAULT_RETENTION: '{"completed": {"count": 2}}',
    };
    [one, other] = await Promise.all([services.start(environment), services.start(environment)]);
  });
  after(async () => {
    await services.kill();
    await store.stop();
  });

  async function ended(queue: string, count: number): Promise<void> {
    const job = { name: 'letter', data: 1, opts: { removeOnComplete: false } };
    const jobs = Array.from({ length: count }, () => job);
    expect((await one.call('POST', `/queues/${queue}/jobs`, jobs)).status).to.equal(200);
    const claimed = await other.call('POST', `/queues/${queue}/jobs/claim`, { count });
    for (const { job, token } of claimed.body as { job: { id: string }; token: string }[]) {
      const path = `/queues/${queue}/jobs/${job.id}/complete`;
      expect((await one.call('POST', path, null, token)).status).to.equal(200);
    }
  }

  const kept = async (queue: string): Promise<number> => {
    const { status, body } = await one.call('GET', `/queues/${queue}/jobs?statuses=completed`);
    // A queue without jobs has no list of them.
    if (status === 404) return 0;
    return (body as { counts: { completed: number } }).counts.completed;
  };

  if (isSlowLane) {
    // holds: retention.bound, retention.default
    it('is kept within a minute where nothing ends any more, also when one of them is killed', async function () {
      this.timeout(2 * WITHIN);
      await ended('plain', 10);
      await ended('ruled', 10);
      const retention = { completed: { age: 1 } };
      const saved = await other.call('PUT', '/queues/ruled/policy', { retention });
      expect(saved.body).to.deep.equal({ retention });
      await other.kill();
      const isRight = async (): Promise<boolean> =>
        (await kept('plain')) === 2 && (await kept('ruled')) === 0;
      await eventually('only what may stay is left', isRight, WITHIN);
    });
  }

  // holds: retention.default
  it('does not begin with a wrong default', async () => {
    const wrong = { STORE_URI: store.uri, DEFAULT_RETENTION: '{"completed": {"age": -1}}' };
    const { code, errors } = await ServiceProcess.run(wrong);
    expect(code).not.to.equal(0);
    expect(errors).to.include('DEFAULT_RETENTION must be');
  });
});
