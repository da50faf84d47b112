import { expect } from 'chai';
import { workersInMemory } from '../../support/collections.ts';
import { HttpService } from './support/http-service.ts';

const worker = {
  queue: 'mail',
  endpoint: { url: 'http://localhost:9000/hook', method: 'post', headers: { 'X-Key': 'secret' } },
  opts: { concurrency: 5, limiter: { max: 10, duration: 1000 }, removeOnComplete: { count: 0 } },
};

describe('Worker endpoints', () => {
  let service: HttpService;

  before(async () => {
    service = await new HttpService().start();
  });

  after(() => service.stop());

  const register = (body: unknown) => service.request('POST', '/workers', { body });

  // holds: listing.entry, workers.listing
  it('registers, replaces, lists, reads and removes a worker', async () => {
    expect(await register(worker)).to.include({ status: 200, text: 'OK' });
    const url = 'https://example.com/other';
    expect((await register({ queue: 'alpha', endpoint: { url, method: 'get' } })).text).to.equal(
      'OK',
    );
    expect((await register({ ...worker, opts: { maxStalledCount: 0 } })).text).to.equal('OK');

    const list = await service.request('GET', '/workers');
    expect(list.status).to.equal(200);
    expect(list.text).to.equal(`{"alpha":"${url}","mail":"http://localhost:9000/hook"}`);

    const read = await service.request('GET', '/workers/mail');
    expect(read.status).to.equal(200);
    expect(JSON.parse(read.text)).to.deep.equal({
      queue: 'mail',
      endpoint: { ...worker.endpoint, headers: { 'X-Key': '[redacted]' } },
      opts: { maxStalledCount: 0 },
    });

    expect(await service.request('DELETE', '/workers/mail')).to.include({
      status: 200,
      text: 'OK',
    });
    expect(await service.request('DELETE', '/workers/mail')).to.include({
      status: 404,
      text: 'Worker not found',
    });
    expect(await service.request('GET', '/workers/mail')).to.include({
      status: 404,
      text: 'Worker not found',
    });
  });

  // holds: workers.headers
  it('registers a worker with the most characters of headers', async () => {
    const headers = { 'X-A': 'a'.repeat(4096), 'X-B': 'b'.repeat(4090) };
    const largest = { ...worker, queue: 'largest', endpoint: { ...worker.endpoint, headers } };
    expect(await register(largest)).to.include({ status: 200, text: 'OK' });
    await service.request('DELETE', '/workers/largest');
  });

  // holds: workers.most
  it('refuses a worker too many with 409', async () => {
    const keptWorkers = workersInMemory(1);
    const full = await new HttpService({ keptWorkers }).start();
    const body = (queue: string) => ({ body: { ...worker, queue } });
    await full.request('POST', '/workers', body('first'));
    expect(await full.request('POST', '/workers', body('second'))).to.include({
      status: 409,
      text: 'There is 1 worker, the most that the service has: remove some first',
    });
    expect(await full.request('POST', '/workers', body('first'))).to.include({ status: 200 });
    await full.stop();
  });

  it('lists a queue that is named like a part of a prototype', async () => {
    await register({ ...worker, queue: '__proto__' });
    expect((await service.request('GET', '/workers')).text).to.contain('"__proto__":"http://');
    await service.request('DELETE', '/workers/__proto__');
  });

  for (const method of ['post', 'get', 'put', 'delete', 'patch']) {
    it(`accepts the method ${method}`, async () => {
      const endpoint = { ...worker.endpoint, method };
      expect((await register({ ...worker, endpoint })).status).to.equal(200);
    });
  }

  for (const method of ['POST', 'Post']) {
    // holds: calls.method-case
    it(`accepts the method ${method} and returns it in lower case`, async () => {
      const endpoint = { ...worker.endpoint, method };
      expect((await register({ ...worker, endpoint })).status).to.equal(200);
      const { text } = await service.request('GET', `/workers/${worker.queue}`);
      expect(JSON.parse(text)).to.have.nested.property('endpoint.method', 'post');
    });
  }

  const endpoint = (change: object): unknown => ({
    ...worker,
    endpoint: { ...worker.endpoint, ...change },
  });
  const opts = (value: unknown): unknown => ({ ...worker, opts: value });
  const url = 'must be a valid http or https URL without user name or password';
  const success =
    'must be an array of 1 to 100 statuses such as "404" and ranges such as "200-299", from 200 to 599';
  const headerName = 'must be the name of a header';
  const mistakes: readonly (readonly [body: unknown, message: string])[] = [
    ['', 'The request body is empty, expected a worker as a JSON object'],
    ['[]', 'The request body must be an object'],
    ['null', 'The request body must be an object'],
    ['"worker"', 'The request body must be an object'],
    [{ ...worker, extra: 1 }, 'extra is not a known field'],
    [`{"__proto__":{},${JSON.stringify(worker).slice(1)}`, '__proto__ is not a known field'],
    [{ ...worker, endpoint: undefined }, 'endpoint must be an object'],
    [{ ...worker, endpoint: null }, 'endpoint must be an object'],
    [{ ...worker, endpoint: 'http://x' }, 'endpoint must be an object'],
    [endpoint({ url: undefined }), `endpoint.url ${url}`],
    [endpoint({ url: 'ftp://x' }), `endpoint.url ${url}`],
    [endpoint({ url: 'http://user:pass@x' }), `endpoint.url ${url}`],
    [endpoint({ url: 5 }), `endpoint.url ${url}`],
    [endpoint({ method: 'HEAD' }), 'endpoint.method must be post, get, put, delete or patch'],
    // holds: endpoint.method
    [endpoint({ method: undefined }), 'endpoint.method must be post, get, put, delete or patch'],
    // holds: body.unknown-worker-fields
    [endpoint({ bodies: '' }), 'endpoint.bodies is not a known field'],
    // holds: calls.body-data
    [endpoint({ body: '' }), 'endpoint.body must be envelope, data or none'],
    // holds: calls.success
    [endpoint({ success: [] }), `endpoint.success ${success}`],
    // holds: calls.success
    [endpoint({ success: ['200-2999'] }), `endpoint.success ${success}`],
    [endpoint({ timeout: 0 }), 'endpoint.timeout must be an integer from 1 to 2147483647'],
    [endpoint({ timeout: null }), 'endpoint.timeout must be an integer from 1 to 2147483647'],
    [endpoint({ headers: null }), 'endpoint.headers must be an object of header names to strings'],
    [endpoint({ headers: [] }), 'endpoint.headers must be an object of header names to strings'],
    [
      endpoint({ headers: { 'X-A': 5 } }),
      'endpoint.headers.X-A must be a string of Latin-1 characters without control characters',
    ],
    [
      endpoint({ headers: { 'X-A': 'a\r\nb' } }),
      'endpoint.headers.X-A must be a string of Latin-1 characters without control characters',
    ],
    // holds: workers.headers
    [
      endpoint({ headers: { 'X-A': 'a'.repeat(4096), 'X-B': 'b'.repeat(4091) } }),
      'endpoint.headers must have at most 8192 characters of names and values together',
    ],
    [endpoint({ headers: { 'X A': 'a' } }), `endpoint.headers.X A ${headerName}`],
    // holds: calls.own-headers
    [
      endpoint({ headers: { Host: 'a' } }),
      'endpoint.headers.Host must be left out: only jobgate itself may set it',
    ],
    // holds: calls.own-headers
    [
      endpoint({ headers: { 'X-A': 'a', 'Jobgate-Attempt': '1' } }),
      'endpoint.headers.Jobgate-Attempt must be left out: only jobgate itself may set it',
    ],
    [
      JSON.stringify(worker).replace('X-Key', '__proto__'),
      `endpoint.headers.__proto__ ${headerName}`,
    ],
    [opts(null), 'opts must be an object'],
    [opts([]), 'opts must be an object'],
    [opts({ concurrency: 0 }), 'opts.concurrency must be an integer of at least 1'],
    // holds: body.no-coercion
    [opts({ concurrency: '1' }), 'opts.concurrency must be an integer of at least 1'],
    [opts({ maxStalledCount: -1 }), 'opts.maxStalledCount must be an integer of at least 0'],
    [opts({ limiter: 5 }), 'opts.limiter must be an object of max and duration'],
    // holds: worker-options.limiter
    [opts({ limiter: { max: 1 } }), 'opts.limiter.duration must be an integer of at least 1'],
    // holds: worker-options.limiter
    [opts({ limiter: { duration: 1 } }), 'opts.limiter.max must be an integer of at least 1'],
    [opts({ limiter: { max: 1, duration: 1, foo: 1 } }), 'opts.limiter.foo is not a known field'],
    [opts({ removeOnComplete: true }), 'opts.removeOnComplete must be an object of count and age'],
    [
      opts({ removeOnComplete: { count: -1 } }),
      'opts.removeOnComplete.count must be an integer of at least 0',
    ],
    [
      opts({ removeOnFail: { age: 0.5 } }),
      'opts.removeOnFail.age must be an integer of at least 0',
    ],
    [opts({ removeOnFail: { limit: 1 } }), 'opts.removeOnFail.limit is not a known field'],
    // holds: breaker.terms
    [opts({ breaker: {} }), 'opts.breaker.failures must be an integer from 1 to 1000'],
    [
      opts({ breaker: { failures: 1001 } }),
      'opts.breaker.failures must be an integer from 1 to 1000',
    ],
    [
      opts({ breaker: { failures: 1, openFor: 0 } }),
      'opts.breaker.openFor must be an integer of at least 1',
    ],
    [opts({ disableOnGone: 1 }), 'opts.disableOnGone must be true or false'],
    // holds: body.unknown-worker-fields
    [opts({ concurency: 1 }), 'opts.concurency is not a known field'],
  ];
  for (const [body, message] of mistakes) {
    // holds: register.invalid, errors.invalid
    it(`refuses it when ${message.slice(0, 80)}: ${JSON.stringify(body).length} bytes`, async () => {
      expect(await register(body)).to.include({ status: 400, text: message });
    });
  }

  for (const queue of [undefined, null, 5, 'ab', 'x'.repeat(101), 'a:b', 'a\nb']) {
    // holds: worker.queue
    it(`refuses the queue name ${String(queue).slice(0, 20)}`, async () => {
      const { status, text } = await register({ ...worker, queue });
      expect(status).to.equal(400);
      expect(text).to.match(/^queue must be a string of 3 to 100 characters/);
    });
  }

  // holds: bounds.all-mistakes
  it('names every mistake of a worker, in the order of the document', async () => {
    const { text } = await register({
      opts: { limiter: { max: 0 }, concurrency: 0 },
      endpoint: { method: 'x', headers: { 'a b': 'c', Fine: 'd', 'X-A': 5 }, timeout: 0 },
      extra: 1,
    });
    expect(text.split('\n')).to.deep.equal([
      'opts.limiter.max must be an integer of at least 1',
      'opts.limiter.duration must be an integer of at least 1',
      'opts.concurrency must be an integer of at least 1',
      'endpoint.method must be post, get, put, delete or patch',
      `endpoint.headers.a b ${headerName}`,
      'endpoint.headers.X-A must be a string of Latin-1 characters without control characters',
      'endpoint.timeout must be an integer from 1 to 2147483647',
      `endpoint.url ${url}`,
      'extra is not a known field',
      'queue must be a string of 3 to 100 characters without ":" or control characters',
    ]);
  });

  it('refuses a bad queue name in the path', async () => {
    for (const method of ['GET', 'DELETE']) {
      const { status, text } = await service.request(method, '/workers/a:b');
      expect(status).to.equal(400);
      expect(text).to.match(/^queue name must be/);
    }
  });
});
