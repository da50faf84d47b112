import { expect } from 'chai';
import { HttpService } from './support/http-service.ts';

describe('Causes of failures', () => {
  let service: HttpService;

  before(async () => {
    service = await new HttpService({ keptIn: 'disk' }).start();
  });

  after(() => service.stop());

  const failures = async (queue: string, query = ''): Promise<unknown> => {
    const { status, text } = await service.request('GET', `/queues/${queue}/failures${query}`);
    expect(status).to.equal(200);
    return JSON.parse(text);
  };

  const fail = async (queue: string, ...reasons: readonly string[]): Promise<void> => {
    for (const reason of reasons) {
      await service.request('POST', `/queues/${queue}/jobs`, { body: [{ name: 'a', data: 1 }] });
      await service.clock.advance(10);
      await service.settle(queue, await service.claim(queue), { kind: 'failed', reason });
    }
  };

  // holds: failures.groups, failures.status
  it('groups failed jobs, the most frequent cause first', async () => {
    const begun = service.clock.now();
    await fail('grouped', 'Order 1 not found', 'HTTP 503 Busy', 'Order 22 not found', 'it broke');
    expect(await failures('grouped')).to.deep.equal({
      window: 4,
      failed: 4,
      causes: [
        {
          cause: 'Order # not found',
          reason: 'Order 22 not found',
          status: null,
          count: 2,
          first: begun + 10,
          last: begun + 30,
          samples: ['3', '1'],
        },
        {
          cause: 'it broke',
          reason: 'it broke',
          status: null,
          count: 1,
          first: begun + 40,
          last: begun + 40,
          samples: ['4'],
        },
        {
          cause: 'HTTP 503 Busy',
          reason: 'HTTP 503 Busy',
          status: 503,
          count: 1,
          first: begun + 20,
          last: begun + 20,
          samples: ['2'],
        },
      ],
    });
  });

  // holds: failures.status
  it('returns the status of the last answer, regardless of its text', async () => {
    await service.request('POST', '/queues/answered/jobs', { body: [{ name: 'a', data: 1 }] });
    await service.settle('answered', await service.claim('answered'), {
      kind: 'failed',
      reason: 'boom',
      call: { outcome: 'failed', status: 500, response: 'boom' },
    });
    const { causes } = (await failures('answered')) as { causes: object[] };
    expect(causes[0]).to.deep.include({ cause: 'boom', status: 500 });
    const search = '/queues/answered/jobs/search?status=';
    const found = JSON.parse((await service.request('GET', `${search}500`)).text) as object;
    expect(found).to.have.property('jobs').with.length(1);
    const other = JSON.parse((await service.request('GET', `${search}503`)).text) as object;
    expect(other).to.have.property('jobs').with.length(0);
  });

  // holds: failures.window
  it('considers only the latest failed jobs', async () => {
    await fail('latest', 'old', 'old', 'new');
    expect(await failures('latest', '?window=1')).to.deep.include({ window: 1, failed: 3 });
    const { causes } = (await failures('latest', '?window=1')) as { causes: { cause: string }[] };
    expect(causes.map(({ cause }) => cause)).to.deep.equal(['new']);
    expect(await failures('latest', '?window=10000')).to.include({ window: 3, failed: 3 });
  });

  it('lists ten of many jobs', async () => {
    await fail('many', ...Array.from({ length: 12 }, (_, index) => `No ${index}`));
    const { causes } = (await failures('many')) as { causes: { samples: string[] }[] };
    expect(causes[0]?.samples).to.deep.equal(['12', '11', '10', '9', '8', '7', '6', '5', '4', '3']);
  });

  // holds: repair.no-queue
  it('finds none in a queue that does not exist', async () => {
    expect(await failures('nothing')).to.deep.equal({ window: 0, failed: 0, causes: [] });
    expect((await service.request('GET', '/queues/nothing')).status).to.equal(404);
  });

  for (const [query, mistake] of [
    ['window=0', 'window must be an integer from 1 to 10000'],
    ['window=10001', 'window must be an integer from 1 to 10000'],
    ['window=many', 'window must be a whole decimal number, 0 or greater'],
    ['length=1', 'length is not a known query parameter'],
  ] as const) {
    // holds: failures.window
    it(`refuses ${query}`, async () => {
      const answer = await service.request('GET', `/queues/mail/failures?${query}`);
      expect(answer).to.include({ status: 400, text: mistake });
    });
  }
});
