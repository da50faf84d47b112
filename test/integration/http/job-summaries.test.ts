import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { HttpService } from './support/http-service.ts';

describe('Summaries and values of jobs', () => {
  let service: HttpService;
  let queue: string;

  before(async () => {
    service = await new HttpService().start();
  });

  after(() => service.stop());

  beforeEach(async () => {
    queue = `mail-${randomUUID()}`;
    const body = [
      { name: 'a', data: { to: 'Ada', text: 'äöü' } },
      { name: 'b', data: 1, opts: { priority: 3, delay: 5000 } },
    ];
    await service.request('POST', `/queues/${queue}/jobs`, { body });
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    service.request('GET', `/queues/${queue}/jobs${path}`, { headers });

  // holds: summaries.fields, summaries.lists
  it('replace jobs in lists, in searches and in single reads', async () => {
    const now = service.clock.now();
    const waiting = {
      id: '1',
      name: 'a',
      state: 'waiting',
      timestamp: now,
      processedOn: null,
      finishedOn: null,
      dueAt: null,
      priority: 0,
      attemptsMade: 0,
      attempts: 0,
      progress: 0,
      failedReason: null,
      lastStatus: null,
      group: null,
      parent: null,
      dataSize: 28,
    };
    const delayed = {
      ...waiting,
      id: '2',
      name: 'b',
      state: 'delayed',
      dueAt: now + 5000,
      priority: 3,
      dataSize: 1,
    };
    const page = JSON.parse((await get('?view=summary')).text) as object;
    expect(page).to.deep.include({ jobs: [waiting, delayed], start: 0, length: 10 });
    const found = JSON.parse((await get('/search?name=b&view=summary')).text) as object;
    expect(found).to.deep.equal({ jobs: [delayed], scanned: 2, cursor: null });
    const alone = JSON.parse((await get('/1?view=summary')).text) as object;
    expect(alone).to.deep.equal({ ...waiting, suspended: null });
    expect((await get('/7?view=summary')).status).to.equal(404);
    expect((await get('?view=figures')).status).to.equal(400);
  });

  // holds: summaries.values
  it('come whole or in parts', async () => {
    const text = '{"to":"Ada","text":"äöü"}';
    const bytes = Buffer.from(text);
    const whole = await get('/1/data');
    expect([whole.status, whole.text]).to.deep.equal([200, text]);
    expect(whole.headers.get('accept-ranges')).to.equal('bytes');
    expect((await get('/1/returnvalue')).text).to.equal('null');
    for (const [range, first, last] of [
      ['bytes=0-4', 0, 4],
      ['bytes=6-', 6, bytes.length - 1],
      ['bytes=-5', bytes.length - 5, bytes.length - 1],
      ['bytes=20-900', 20, bytes.length - 1],
    ] as const) {
      const part = await get('/1/data', { Range: range });
      expect(part.status).to.equal(206);
      expect(part.headers.get('content-range')).to.equal(`bytes ${first}-${last}/${bytes.length}`);
      expect(part.text).to.equal(bytes.subarray(first, last + 1).toString());
    }
    for (const ignored of ['bytes=5-2', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=-']) {
      expect((await get('/1/data', { Range: ignored })).status).to.equal(200);
    }
    for (const beyond of [`bytes=${bytes.length}-`, 'bytes=-0', 'bytes=900-5000']) {
      const { status, headers } = await get('/1/data', { Range: beyond });
      expect(status).to.equal(416);
      expect(headers.get('content-range')).to.equal(`bytes */${bytes.length}`);
    }
    expect((await get('/7/data')).status).to.equal(404);
  });

  // holds: summaries.values
  it('have an ETag, by which a client continues only with the value that it began', async () => {
    const etag = (await get('/1/data')).headers.get('etag') ?? '';
    expect(etag).to.match(/^"[\w-]+"$/);
    const Range = 'bytes=0-4';
    for (const [condition, status] of [
      [etag, 206],
      [`W/${etag}`, 200],
      ['"other"', 200],
      [new Date().toUTCString(), 200],
    ] as const) {
      const answer = await get('/1/data', { Range, 'If-Range': condition });
      expect(answer.status, condition).to.equal(status);
      expect(answer.headers.get('etag')).to.equal(etag);
    }
    expect((await get('/2/data')).headers.get('etag')).not.to.equal(etag);
    expect((await get('/1/data', { 'If-Range': etag })).status).to.equal(200);
    const beyond = await get('/1/data', { Range: 'bytes=900-', 'If-Range': '"other"' });
    expect(beyond.status).to.equal(200);
  });

  // holds: summaries.values
  it('have no parts in an answer to HEAD', async () => {
    const whole = await get('/1/data');
    for (const Range of ['bytes=0-4', 'bytes=900-']) {
      const path = `/queues/${queue}/jobs/1/data`;
      const { status, headers } = await service.request('HEAD', path, { headers: { Range } });
      expect(status).to.equal(200);
      expect(headers.get('content-range')).to.equal(null);
      for (const name of ['content-length', 'etag', 'accept-ranges']) {
        expect(headers.get(name)).to.equal(whole.headers.get(name));
      }
    }
  });

  // holds: waiting-children.counts, waiting-children.listed, waiting-children.stuck
  it('exist for jobs that wait for children', async () => {
    const child = { queue, name: 'child', data: null };
    const flow = { queue: `${queue}-above`, name: 'parent', data: 0, children: [child] };
    const added = await service.request('POST', '/flows', { body: flow });
    expect(added.status, added.text).to.equal(200);
    queue += '-above';
    const bare = JSON.parse((await get('')).text) as { counts: object; jobs: object[] };
    expect(bare.counts).not.to.have.property('waiting-children');
    expect(bare.jobs).to.deep.equal([]);
    const parents = JSON.parse((await get('?statuses=waiting-children&view=summary')).text) as {
      counts: object;
      jobs: { state: string }[];
    };
    expect(parents.counts).to.include({ 'waiting-children': 1 });
    expect(parents.jobs.map(({ state }) => state)).to.deep.equal(['waiting-children']);
    const read = async (): Promise<object> =>
      JSON.parse((await service.request('GET', `/queues/${queue}`)).text) as object;
    expect(await read()).to.deep.include({ stuckParents: 0 });
    const below = queue.slice(0, -6);
    const claimed = [await service.claim(below), await service.claim(below)];
    for (const attempt of claimed) {
      await service.settle(below, attempt, { kind: 'failed', reason: 'it broke' });
    }
    expect(await read()).to.deep.include({ stuckParents: 1 });
    const cancelled = await service.request('POST', `/queues/${queue}/cancel`, {
      body: { filter: { statuses: ['waiting-children'] } },
    });
    expect(JSON.parse(cancelled.text)).to.include({ matched: 1, done: 1 });
  });
});
