import { expect } from 'chai';
import { RedisServer } from '../support/redis/redis-server.ts';
import { ServiceProcess } from '../support/service-process.ts';

/** The heap of the service in MB: the jobs of all calls have several times as much. */
const HEAP = 128;

/** The subscriptions of one topic, and how many calls publish to it at once. */
const [SUBSCRIPTIONS, CALLS] = [500, 40];

/** What an endpoint may be sent in headers, nearly. */
const HEADERS = { 'x-one': 'y'.repeat(3900), 'x-other': 'z'.repeat(3900) };

describe('small messages that become many large jobs', () => {
  let store: RedisServer;
  let service: ServiceProcess;

  before(async () => {
    store = await RedisServer.start();
    const NODE_OPTIONS = `--max-old-space-size=${HEAP}`;
    service = await ServiceProcess.start({ STORE_URI: store.uri, NODE_OPTIONS });
    await ok('PUT', '/queues/mail/policy', { endpoints: { origins: ['*'] } });
  });
  after(async () => {
    await service.stop();
    await store.stop();
  });

  async function ok(method: string, path: string, body?: unknown): Promise<unknown> {
    const { status, body: answer } = await service.call(method, path, body);
    expect(status, JSON.stringify(answer).slice(0, 200)).to.equal(200);
    return answer;
  }

  async function subscribe(topic: string, count: number, terms: (at: number) => object) {
    for (let at = 0; at < count; at += 1) {
      const subscription = { queue: 'mail', ...terms(at) };
      await ok('PUT', `/topics/${topic}/subscriptions/s${at}`, subscription);
    }
  }

  it('are added in turns, by their headers', async () => {
    const endpoint = { url: 'http://127.0.0.1:9/', headers: HEADERS };
    await subscribe('headers', SUBSCRIPTIONS, () => ({ endpoint }));
    const publish = () => ok('POST', '/topics/headers', { name: 'signup', data: 1 });
    await Promise.all(Array.from({ length: CALLS }, publish));
    expect(await ok('GET', '/queues/mail')).to.have.nested.property(
      'counts.waiting',
      SUBSCRIPTIONS * CALLS,
    );
  });

  it('are stored in pieces, each with the data of the message', async () => {
    await subscribe('data', 100, (at) => ({ queue: 'data', opts: { attempts: at + 1 } }));
    const data = 'x'.repeat(2_000_000);
    await ok('POST', '/topics/data', { name: 'signup', data });
    expect(await ok('GET', '/queues/data')).to.have.nested.property('counts.waiting', 100);
    expect(await ok('GET', '/queues/data/jobs?statuses=waiting&length=1')).to.have.nested.property(
      'jobs[0].data.length',
      data.length,
    );
  });
});
