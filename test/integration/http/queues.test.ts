import { expect } from 'chai';
import { HttpService } from './support/http-service.ts';

import { NO_JOBS } from '../../contracts/queue-steps.ts';

/** An empty queue. */
const BARE = {
  paused: false,
  counts: NO_JOBS,
  oldestWaiting: null,
  worker: null,
  concurrency: null,
  limiter: null,
  heldUntil: null,
  heldBy: null,
  window: null,
  policy: null,
  deadLetters: null,
  stuckParents: 0,
  suspended: 0,
  blocked: null,
};

describe('Queue endpoints', () => {
  let service: HttpService;

  before(async () => {
    service = await new HttpService({ keptIn: 'disk' }).start();
  });

  after(() => service.stop());

  const call = (method: string, path: string, body?: unknown) =>
    service.request(method, `/queues/${path}`, { body });
  const read = async (queue: string): Promise<unknown> =>
    JSON.parse((await call('GET', queue)).text);
  /** Who stopped something just now. */
  const byEnvironment = () => ({
    by: 'environment:1',
    at: service.clock.now(),
    reason: null,
  });
  const add = (queue: string, ...jobs: object[]) =>
    call(
      'POST',
      `${queue}/jobs`,
      jobs.map((opts) => ({ name: 'work', data: 1, opts })),
    );

  // holds: queues.read, queues.oldest-waiting
  it('reports the counts of a queue and how long its oldest job has waited', async () => {
    await add('holding', {}, { delay: 60_000 });
    await service.clock.advance(1500);
    await add('holding', {}, { priority: 2 });
    const counts = { ...NO_JOBS, waiting: 2, prioritized: 1, delayed: 1 };
    const blocked = {
      reason: 'no-worker',
      detail: 'No worker is registered and no client has claimed a job for a minute',
    };
    const expected = { ...BARE, name: 'holding', counts, blocked };
    expect(await read('holding')).to.deep.equal({ ...expected, oldestWaiting: 1500 });
    await service.claim('holding');
    expect(await read('holding')).to.deep.equal({
      ...expected,
      counts: { ...counts, active: 1, waiting: 1 },
      oldestWaiting: 0,
      blocked: null,
    });
  });

  // holds: queues.read
  it('answers the worker of a queue that never had a job', async () => {
    const url = 'http://localhost:9000/hook';
    const worker = { queue: 'served', endpoint: { url, method: 'post' } };
    const limiter = { max: 10, duration: 1000 };
    await service.request('POST', '/workers', { body: worker });
    const expected = { ...BARE, name: 'served', worker: url };
    expect(await read('served')).to.deep.equal({ ...expected, concurrency: 1 });
    const opts = { concurrency: 5, limiter };
    await service.request('POST', '/workers', { body: { ...worker, opts } });
    expect(await read('served')).to.deep.equal({ ...expected, ...opts });
    await service.request('DELETE', '/workers/served');
    expect((await call('GET', 'served')).status).to.equal(404);
  });

  // holds: queues.read
  it('answers 404 for a queue that does not exist', async () => {
    await call('POST', 'nothing/resume');
    expect(await call('GET', 'nothing')).to.include({ status: 404, text: 'Not found' });
  });

  // holds: queues.pause, queues.resume, queues.create
  it('pauses and resumes, again and again, even a queue that did not exist', async () => {
    for (const [action, paused] of [
      ['pause', true],
      ['pause', true],
      ['resume', false],
      ['resume', false],
    ] as const) {
      expect(await call('POST', `fresh/${action}`)).to.include({ status: 200, text: 'OK' });
      const pause = paused && { pause: byEnvironment() };
      expect(await read('fresh')).to.deep.equal({ ...BARE, name: 'fresh', paused, ...pause });
    }
  });

  describe('a hold', () => {
    // holds: hold.post, hold.read, hold.create, hold.latest
    it('returns when it ends, and is shown with the queue until then', async () => {
      const until = service.clock.now() + 60_000;
      for (const time of [60_000, 1]) {
        const { status, text } = await call('POST', 'held/hold', { for: time });
        expect([status, text]).to.deep.equal([200, `{"until":${until}}`]);
      }
      expect(await read('held')).to.deep.equal({
        ...BARE,
        name: 'held',
        heldUntil: until,
        heldBy: 'caller',
        hold: byEnvironment(),
      });
      await service.clock.advance(60_000);
      expect(await read('held')).to.deep.equal({ ...BARE, name: 'held' });
      await call('POST', 'held/hold', { for: 86_400_000 });
      expect(await read('held')).to.include({ heldUntil: until + 86_400_000 });
    });

    // holds: hold.end
    it('can be ended again and again', async () => {
      await call('POST', 'let-go/hold', { for: 60_000 });
      for (let turn = 0; turn < 2; turn += 1) {
        expect(await call('DELETE', 'let-go/hold')).to.include({ status: 200, text: 'OK' });
        expect(await read('let-go')).to.deep.equal({ ...BARE, name: 'let-go' });
      }
    });

    // holds: hold.create
    it('can be ended where there is a queue, or a worker', async () => {
      const answer = await call('DELETE', 'unheld/hold');
      expect(answer).to.include({ status: 404, text: 'Not found' });
      const worker = { queue: 'unheld', endpoint: { url: 'http://a.test', method: 'post' } };
      await service.request('POST', '/workers', { body: worker });
      expect(await call('DELETE', 'unheld/hold')).to.include({ status: 200, text: 'OK' });
    });

    // holds: hold.removed
    it('goes with its queue', async () => {
      await call('POST', 'gone/hold', { for: 60_000 });
      await call('DELETE', 'gone?confirm=gone');
      expect((await call('DELETE', 'gone/hold')).status).to.equal(404);
      await add('gone', {});
      expect(await read('gone')).to.include({ heldUntil: null, heldBy: null });
    });

    for (const [body, message] of [
      [{ for: 0 }, 'for must be an integer from 1 to 86400000'],
      [{ for: 86_400_001 }, 'for must be an integer from 1 to 86400000'],
      [{ for: '5' }, 'for must be an integer from 1 to 86400000'],
      [{}, 'for must be an integer from 1 to 86400000'],
      [{ for: 5, until: 6 }, 'until is not a known field'],
      [undefined, 'The request body is empty, expected for how long as a JSON object'],
    ] as const) {
      it(`is refused when ${message}: ${JSON.stringify(body)}`, async () => {
        const answer = await call('POST', 'refused/hold', body);
        expect(answer).to.include({ status: 400, text: message });
        expect((await call('GET', 'refused')).status).to.equal(404);
      });
    }
  });

  // holds: queues.drain
  it('drains, including the delayed jobs on request', async () => {
    const jobs = [{}, { priority: 2 }, { delay: 60_000 }];
    for (const [body, removed] of [
      [undefined, 2],
      ['{}', 0],
      [{ delayed: false }, 0],
      [{ delayed: true }, 1],
    ] as const) {
      if (body === undefined) await add('drained', ...jobs);
      const { status, text } = await call('POST', 'drained/drain', body);
      expect([status, text]).to.deep.equal([200, `{"removed":${removed}}`]);
    }
    expect(await read('drained')).to.deep.equal({ ...BARE, name: 'drained' });
    expect((await call('POST', 'nothing/drain')).text).to.equal('{"removed":0}');
  });

  for (const [body, message] of [
    [{ delayed: 'yes' }, 'delayed must be true or false'],
    [{ all: true }, 'all is not a known field'],
    ['[]', 'The request body must be an object'],
  ] as const) {
    it(`refuses to drain when ${message}`, async () => {
      expect(await call('POST', 'drained/drain', body)).to.include({ status: 400, text: message });
    });
  }

  describe('the removal', () => {
    const remove = (queue: string, query = `?confirm=${queue}`) =>
      call('DELETE', `${queue}${query}`);

    // holds: queues.remove
    it('removes everything and reports what it removed', async () => {
      const worker = { queue: 'removed', endpoint: { url: 'http://a.test', method: 'post' } };
      for (const isServed of [true, false]) {
        if (isServed) await service.request('POST', '/workers', { body: worker });
        await add('removed', {}, { delay: 60_000 }, { priority: 1 });
        const { status, text } = await remove('removed');
        const expected = `{"removed":{"jobs":3,"schedulers":0,"worker":${isServed}}}`;
        expect([status, text]).to.deep.equal([200, expected]);
        expect((await call('GET', 'removed')).status).to.equal(404);
        expect((await service.request('GET', '/workers/removed')).status).to.equal(404);
        expect(await remove('removed')).to.include({ status: 404, text: 'Not found' });
      }
      await service.request('POST', '/workers', { body: worker });
      const alone = '{"removed":{"jobs":0,"schedulers":0,"worker":true}}';
      expect((await remove('removed')).text).to.equal(alone);
    });

    // holds: queues.remove-active, queues.remove-force
    it('does not wait for active jobs: it is refused, or forced', async () => {
      const worker = { queue: 'running', endpoint: { url: 'http://a.test', method: 'post' } };
      await service.request('POST', '/workers', { body: worker });
      await add('running', {}, {});
      await service.claim('running');
      for (const query of ['?confirm=running', '?confirm=running&force=false']) {
        const refused = { status: 409, text: 'Queue has active jobs' };
        expect(await remove('running', query)).to.include(refused);
      }
      expect((await service.request('GET', '/workers/running')).status).to.equal(200);
      const { text } = await remove('running', '?confirm=running&force=true');
      expect(text).to.equal('{"removed":{"jobs":2,"schedulers":0,"worker":true}}');
    });

    for (const [query, message] of [
      ['', 'confirm must be the name of the queue'],
      ['?confirm=', 'confirm must be the name of the queue'],
      ['?confirm=Kept', 'confirm must be the name of the queue'],
      ['?confirm=kept&force=yes', 'force must be true or false'],
      ['?confirm=kept&confirm=kept', 'confirm must be given once'],
      ['?sure=kept', 'sure is not a known query parameter'],
    ] as const) {
      // holds: queues.remove
      it(`is refused with ${query === '' ? 'nothing' : query}`, async () => {
        await call('POST', 'kept/pause');
        const { status, text } = await remove('kept', query);
        expect([status, text]).to.deep.equal([400, message]);
        expect((await call('GET', 'kept')).status).to.equal(200);
      });
    }
  });

  describe('the list', () => {
    const list = async (query: string): Promise<{ total: number; queues: { name: string }[] }> =>
      JSON.parse((await service.request('GET', `/queues${query}`)).text) as never;
    const names = async (query: string): Promise<string[]> =>
      (await list(query)).queues.map(({ name }) => name);

    // holds: queues.list
    it('shows of each queue its counts, its worker, whether it is paused and how long its jobs wait', async () => {
      const url = 'http://localhost:9000/hook';
      await add('shown-jobs', {}, { priority: 1 }, { delay: 60_000 });
      await service.clock.advance(700);
      await call('POST', 'shown-paused/pause');
      const worker = { queue: 'shown-worker', endpoint: { url, method: 'post' } };
      await service.request('POST', '/workers', { body: worker });
      const bare = { paused: false, counts: NO_JOBS, oldestWaiting: null, worker: null };
      expect(await list('?name=shown-*')).to.deep.equal({
        total: 3,
        queues: [
          {
            ...bare,
            name: 'shown-jobs',
            counts: { ...NO_JOBS, waiting: 1, prioritized: 1, delayed: 1 },
            oldestWaiting: 700,
          },
          { ...bare, name: 'shown-paused', paused: true, pause: byEnvironment() },
          { ...bare, name: 'shown-worker', worker: url },
        ],
      });
      await service.request('DELETE', '/workers/shown-worker');
      expect(await names('?name=shown-*')).to.deep.equal(['shown-jobs', 'shown-paused']);
    });

    // holds: queues.list
    it('is sorted by name, in pages that contain all queues together', async () => {
      const queues = ['b', 'a-10', 'a-9', 'B', 'ä'].map((end) => `paged-${end}`);
      for (const queue of queues) await add(encodeURIComponent(queue), {});
      const sorted = ['paged-B', 'paged-a-10', 'paged-a-9', 'paged-b', 'paged-ä'];
      expect(await names('?name=paged-*')).to.deep.equal(sorted);
      for (const start of [0, 2, 4, 6]) {
        const page = await list(`?name=paged-*&start=${start}&length=2`);
        expect(page.total).to.equal(5);
        expect(page.queues.map(({ name }) => name)).to.deep.equal(sorted.slice(start, start + 2));
      }
      expect(await list('?name=paged-*&length=0')).to.deep.equal({ total: 5, queues: [] });
      expect(await names('?length=1000')).to.include.members(sorted);
    });

    // holds: queues.list-name
    it('accepts a pattern in which only the star is special', async () => {
      for (const queue of ['like-mail.1', 'like-mailx1', 'like-[a]', 'like-a', 'like-a?']) {
        await add(encodeURIComponent(queue), {});
      }
      for (const [pattern, expected] of [
        ['like-mail.1', ['like-mail.1']],
        ['like-mail.*', ['like-mail.1']],
        ['like-[a]', ['like-[a]']],
        ['like-?', []],
        ['like-a*', ['like-a', 'like-a?']],
        ['*ike-*ail*1', ['like-mail.1', 'like-mailx1']],
        ['*like-a', ['like-a']],
        ['like', []],
        ['LIKE-a', []],
      ] as const) {
        const query = `?name=${encodeURIComponent(pattern)}&discover=true`;
        expect(await names(query), pattern).to.deep.equal(expected);
      }
    });

    for (const [query, message] of [
      ['length=1001', 'length must be an integer from 0 to 1000'],
      ['start=-1', 'start must be a whole decimal number, 0 or greater'],
      ['name=', 'name must be a name, in which "*" stands for any characters'],
      ['discover=1', 'discover must be true or false'],
      ['names=mail', 'names is not a known query parameter: did you mean name?'],
    ] as const) {
      it(`refuses ${query}`, async () => {
        const { status, text } = await service.request('GET', `/queues?${query}`);
        expect([status, text]).to.deep.equal([400, message]);
      });
    }

    it('requires a token', async () => {
      expect((await service.request('GET', '/queues', { token: 'none' })).status).to.equal(401);
    });
  });

  it('refuses a bad name and other methods', async () => {
    for (const [method, path] of [
      ['GET', 'ab'],
      ['POST', 'ab/pause'],
      ['POST', 'a:b/resume'],
    ] as const) {
      const { status, text } = await call(method, path);
      expect(status).to.equal(400);
      expect(text).to.match(/^queue name must be/);
    }
    expect((await call('GET', 'fresh/pause')).status).to.equal(405);
    expect((await call('PATCH', 'fresh')).status).to.equal(405);
  });
});
