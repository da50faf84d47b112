import { expect } from 'chai';
import { HttpService } from './support/http-service.ts';

/** The refusal of a name that no queue can have, after the name of the field. */
const NO_QUEUE = 'must be a string of 3 to 100 characters without ":" or control characters';

describe('Policy endpoints', () => {
  let service: HttpService;

  before(async () => {
    service = await new HttpService({ keptIn: 'disk' }).start();
  });

  afterEach(() => service.request('DELETE', '/policy'));

  after(() => service.stop());

  const call = (method: string, path: string, body?: unknown) =>
    service.request(method, path, { body });
  const added = async (queue: string, opts: object = {}): Promise<object> => {
    const body = [{ name: 'work', data: 1, opts }];
    const { text } = await call('POST', `/queues/${queue}/jobs`, body);
    return (JSON.parse(text) as [{ opts: object }])[0].opts;
  };

  // holds: policy.order, policy.defaults
  it('fills in what a job lacks from its queue, then from all queues, then from the specification', async () => {
    await call('PUT', '/policy', { defaults: { attempts: 2, backoff: 100, ttl: 60_000 } });
    await call('PUT', '/queues/ruled/policy', {
      defaults: { attempts: 3, removeOnComplete: true },
    });
    const backoff = { type: 'fixed', delay: 100 };
    expect(await added('ruled', { ttl: 5 })).to.deep.equal({
      attempts: 3,
      delay: 0,
      backoff,
      ttl: 5,
      removeOnComplete: true,
    });
    expect(await added('other', { attempts: 0 })).to.deep.equal({
      attempts: 0,
      delay: 0,
      backoff,
      ttl: 60_000,
    });
    const { text } = await call('GET', '/queues/ruled/jobs/1');
    expect(JSON.parse(text)).to.deep.include({ state: 'waiting' }).and.nested.include({
      'opts.attempts': 3,
      'opts.backoff.delay': 100,
    });
    await call('DELETE', '/queues/ruled/policy');
    await call('DELETE', '/policy');
    expect(await added('ruled')).to.deep.equal({ attempts: 0, delay: 0 });
  });

  for (const path of ['/queues/called/policy', '/policy']) {
    // holds: policy.calls
    it(`stores, reads and removes ${path}`, async () => {
      const missing = { status: 404, text: 'Policy not found' };
      expect(await call('GET', path)).to.include(missing);
      expect(await call('DELETE', path)).to.include(missing);
      const policy = { defaults: { timeout: 5, keepLogs: 2, removeOnFail: { age: 1 } } };
      for (const body of [{ maxJobSize: 5 }, policy]) {
        const { status, text } = await call('PUT', path, body);
        expect([status, JSON.parse(text)]).to.deep.equal([200, body]);
      }
      expect(JSON.parse((await call('GET', path)).text)).to.deep.equal(policy);
      expect((await call('PUT', path)).text).to.equal('{}');
      expect(await call('DELETE', path)).to.include({ status: 200, text: 'OK' });
      expect(await call('GET', path)).to.include(missing);
    });

    for (const [body, message] of [
      ['[]', 'The request body must be an object'],
      [{ max: 1 }, 'max is not a known field'],
      [{ maxWaiting: -1 }, 'maxWaiting must be an integer of at least 0'],
      [{ maxJobSize: -1 }, 'maxJobSize must be an integer of at least 0'],
      [{ defaults: { priority: 1 } }, 'defaults.priority is not a known field'],
      [{ defaults: { attempts: '3' } }, 'defaults.attempts must be an integer of at least 0'],
      [
        { defaults: { backoff: { type: 'x', delay: 1 } } },
        'defaults.backoff.type must be exponential, linear or fixed',
      ],
      [
        { defaults: { removeOnFail: { count: -1 } } },
        'defaults.removeOnFail.count must be an integer of at least 0',
      ],
      [{ callback: { queue: 'ab' } }, `callback.queue ${NO_QUEUE}`],
      [{ defaults: { callback: { queue: 'ab' } } }, `defaults.callback.queue ${NO_QUEUE}`],
      [
        { messages: { redrive: { maxReceives: 1, queue: 'ab' } } },
        `messages.redrive.queue ${NO_QUEUE}`,
      ],
      [{ maxStalledCount: 1001 }, 'maxStalledCount must be an integer from 0 to 1000'],
      [{ labels: { '': 'a' } }, 'labels."" must be a name of 1 to 128 characters'],
      [{ labels: { a: 'x'.repeat(257) } }, 'labels.a must be a string of 0 to 256 characters'],
      [{ messages: { wait: 20_001 } }, 'messages.wait must be an integer from 0 to 20000'],
      [
        { messages: { redrive: { maxReceives: 0, queue: 'dead' } } },
        'messages.redrive.maxReceives must be an integer from 1 to 1000',
      ],
      [{ messages: { kept: { Policy: 1 } } }, 'messages.kept.Policy must be a string'],
    ] as const) {
      // holds: policy.calls
      it(`refuses ${JSON.stringify(body)} for ${path}`, async () => {
        expect(await call('PUT', path, body)).to.include({ status: 400, text: message });
      });
    }
  }

  // holds: policy.creates
  it('creates the queue, which shows its own policy', async () => {
    expect((await call('GET', '/queues/created')).status).to.equal(404);
    const policy = { maxJobSize: 7 };
    await call('PUT', '/policy', { maxJobSize: 9 });
    await call('PUT', '/queues/created/policy', policy);
    const read = async () =>
      JSON.parse((await call('GET', '/queues/created')).text) as { policy: unknown };
    expect((await read()).policy).to.deep.equal(policy);
    await call('DELETE', '/queues/created/policy');
    expect((await read()).policy).to.equal(null);
  });

  // holds: policy.creates
  it('goes with its queue', async () => {
    await call('PUT', '/queues/leaving/policy', { defaults: { attempts: 7 } });
    expect((await call('DELETE', '/queues/leaving?confirm=leaving')).status).to.equal(200);
    expect((await call('GET', '/queues/leaving/policy')).status).to.equal(404);
    expect(await added('leaving')).to.deep.equal({ attempts: 0, delay: 0 });
  });

  // holds: policy.max-job-size
  it('refuses jobs whose data is larger than the policy allows, and stores nothing', async () => {
    await call('PUT', '/queues/sized/policy', { maxJobSize: 6 });
    const add = (...data: unknown[]) =>
      call(
        'POST',
        '/queues/sized/jobs',
        data.map((each) => ({ name: 'work', data: each })),
      );
    expect(await add('1234', '12345')).to.include({
      status: 413,
      text: '[1].data must be of at most 6 bytes (maxJobSize of the policy)',
    });
    expect((await add('ééé')).status).to.equal(413);
    expect((await call('GET', '/queues/sized/jobs')).status).to.equal(404);
    expect((await add('1234', 'éé')).status).to.equal(200);
  });

  // holds: policy.max-waiting
  it('refuses jobs beyond those that may wait by either policy, and stores nothing', async () => {
    await call('PUT', '/policy', { maxWaiting: 1 });
    await call('PUT', '/queues/crowded/policy', { maxWaiting: 2 });
    const add = (queue: string, ...jobs: object[]) =>
      call(
        'POST',
        `/queues/${queue}/jobs`,
        jobs.map((opts) => ({ name: 'work', data: null, opts })),
      );
    await call('POST', '/queues/crowded/pause');
    expect((await add('crowded', {}, { priority: 5 })).status).to.equal(200);
    const refused = await add('crowded', { delay: 60_000 }, {});
    expect(refused).to.include({
      status: 429,
      text: 'The queue is full: at most 2 jobs may wait (maxWaiting of the policy)',
    });
    expect(refused.headers.get('retry-after')).to.equal('1');
    expect((await add('crowded', { delay: 60_000 })).status).to.equal(200);
    const { text } = await call('GET', '/queues/crowded');
    expect((JSON.parse(text) as { counts: object }).counts).to.include({
      waiting: 1,
      prioritized: 1,
      delayed: 1,
    });

    expect((await add('roomless', {}, {})).status).to.equal(429);
    expect((await call('GET', '/queues/roomless')).status).to.equal(404);
    await call('DELETE', '/policy');
    expect((await add('roomless', {}, {})).status).to.equal(200);
  });

  // holds: policy.max-waiting
  it('returns a code for a full queue', async () => {
    await call('PUT', '/queues/problem/policy', { maxWaiting: 0 });
    const headers = { Accept: 'application/problem+json' };
    const body = [{ name: 'work', data: null }];
    const answer = await service.request('POST', '/queues/problem', { body, headers });
    expect(JSON.parse(answer.text)).to.include({ status: 429, code: 'queue-full' });
    expect(answer.headers.get('retry-after')).to.equal('1');
  });
});
