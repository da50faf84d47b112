import { expect } from 'chai';
import { HttpService } from './support/http-service.ts';

interface Page {
  readonly jobs: readonly { readonly id: string; readonly state: string }[];
  readonly scanned: number;
  readonly cursor: string | null;
}

describe('Searching jobs', () => {
  let service: HttpService;
  let begun: number;

  before(async () => {
    service = await new HttpService({ keptIn: 'disk' }).start();
    begun = service.clock.now();
    await add('mixed', { name: 'first', data: { customer: { id: 17 } } });
    await add('mixed', { name: 'second', data: { customer: { id: '17' } } });
    await add('mixed', { name: 'third', data: 'x', opts: { delay: 60_000 } });
    const reason = 'HTTP 503 Busy';
    await service.settle('mixed', await service.claim('mixed'), { kind: 'failed', reason });
  });

  after(() => service.stop());

  const add = async (queue: string, ...jobs: readonly object[]): Promise<void> => {
    await service.request('POST', `/queues/${queue}/jobs`, { body: jobs });
    await service.clock.advance(1000);
  };

  const search = async (queue: string, query = ''): Promise<Page> => {
    const { status, text } = await service.request('GET', `/queues/${queue}/jobs/search${query}`);
    expect(status, text).to.equal(200);
    return JSON.parse(text) as Page;
  };

  for (const [query, ids] of [
    ['', ['2', '3', '1']],
    ['?statuses=failed', ['1']],
    ['?statuses=delayed,waiting', ['2', '3']],
    ['?name=second', ['2']],
    ['?name=sec', []],
    ['?reason=Busy', ['1']],
    ['?status=503', ['1']],
    ['?status=500', []],
    ['?data=customer.id:17', ['2', '1']],
    ['?data=customer.id:17&statuses=waiting', ['2']],
  ] as const) {
    // holds: search.filter
    it(`finds jobs by ${query || 'nothing'}`, async () => {
      const { jobs, scanned, cursor } = await search('mixed', query);
      expect(jobs.map(({ id }) => id)).to.deep.equal(ids);
      expect(cursor).to.equal(null);
      if (!query.includes('statuses')) expect(scanned).to.equal(3);
    });
  }

  // holds: search.filter
  it('finds jobs by the time at which they were added', async () => {
    const { jobs } = await search('mixed', `?from=${begun + 1000}&to=${begun + 1000}`);
    expect(jobs.map(({ id }) => id)).to.deep.equal(['2']);
  });

  // holds: search.filter
  it('returns jobs in the form in which they are read', async () => {
    const [job] = (await search('mixed', '?name=first')).jobs;
    const { text } = await service.request('GET', '/queues/mixed/jobs/1');
    expect({ ...job, suspended: null }).to.deep.equal(JSON.parse(text));
    expect(job).to.include({ state: 'failed' });
  });

  // holds: search.time
  it('stops after 30 s where it is, with a cursor', async () => {
    const data = 'x'.repeat(300_000);
    await add('slow', ...Array.from({ length: 3 }, () => ({ name: 'job', data })));
    const now = service.clock.now.bind(service.clock);
    let looks = 0;
    service.clock.now = () => now() + 20_000 * looks++;
    const first = await search('slow', '?data=a:1').finally(() => (service.clock.now = now));
    expect(first).to.include({ scanned: 2 }).and.have.property('cursor').that.is.a('string');
    const second = await search('slow', `?data=a:1&cursor=${first.cursor}`);
    expect(second).to.include({ scanned: 1, cursor: null });
  });

  // holds: search.steps, search.cursor
  it('continues with the cursor until it is null', async () => {
    const jobs = Array.from({ length: 2500 }, (_, data) => ({ name: 'job', data }));
    await add('many', ...jobs);
    const scanned: number[] = [];
    const found: string[] = [];
    let cursor: string | null = '';
    for (let query = '?data=missing:1'; cursor !== null; query = `?data=a:1&cursor=${cursor}`) {
      const page = await search('many', query);
      scanned.push(page.scanned);
      ({ cursor } = page);
    }
    expect(scanned).to.deep.equal([1000, 1000, 500]);
    for (let query = '?length=100'; ; query = `?length=100&cursor=${cursor}`) {
      const page = await search('many', query);
      expect(page.jobs).to.have.length.at.most(100);
      found.push(...page.jobs.map(({ id }) => id));
      ({ cursor } = page);
      if (cursor === null) break;
    }
    expect(found).to.deep.equal(jobs.map(({ data }) => String(data + 1)).reverse());
    expect((await search('many')).jobs).to.have.length(10);
  });

  // holds: repair.no-queue
  it('finds nothing in a queue that does not exist', async () => {
    expect(await search('nothing')).to.deep.equal({ jobs: [], scanned: 0, cursor: null });
    expect((await service.request('GET', '/queues/nothing')).status).to.equal(404);
  });

  for (const [query, mistake] of [
    ['length=0', 'length must be an integer from 1 to 100'],
    ['length=101', 'length must be an integer from 1 to 100'],
    ['status=99', 'status must be an integer from 100 to 599'],
    ['from=-1', 'from must be an integer of at least 0'],
    ['data=17', 'data must be a path, a colon and a value, such as customer.id:17'],
    ['cursor=x', 'cursor must be one that an answer to the same search had'],
    ['cursor=', 'cursor must be one that an answer to the same search had'],
    ['start=1', 'start is not a known query parameter'],
  ] as const) {
    it(`refuses ${query}`, async () => {
      const answer = await service.request('GET', `/queues/mixed/jobs/search?${query}`);
      expect(answer).to.include({ status: 400, text: mistake });
    });
  }
});
