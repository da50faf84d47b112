import { expect } from 'chai';
import { HttpService } from './support/http-service.ts';

interface Held {
  readonly path: string;
  readonly token: string;
}

interface Told {
  readonly cost: number;
}

describe('Costs of jobs over HTTP', () => {
  let service: HttpService;
  let count = 0;
  let queue: string;

  before(async () => {
    service = await new HttpService({ keptIn: 'disk' }).start();
  });
  after(() => service.stop());
  beforeEach(async () => {
    queue = `costs-${(count += 1)}`;
    const endpoint = { url: 'http://127.0.0.1:1/', method: 'post' };
    const opts = { concurrency: 9, limiter: { max: 10, duration: 3_600_000 } };
    const { status } = await service.request('POST', '/workers', {
      body: { queue, endpoint, opts },
    });
    expect(status).to.equal(200);
  });

  const add = async (...costs: readonly unknown[]): Promise<{ status: number; text: string }> => {
    const body = costs.map((cost) => ({ name: 'ask', data: 1, opts: { cost } }));
    return service.request('POST', `/queues/${queue}/jobs`, { body });
  };

  const claim = async (most = 1): Promise<readonly Held[]> => {
    const { text } = await service.request('POST', `/queues/${queue}/jobs/claim`, {
      body: { count: most },
    });
    const claimed = JSON.parse(text) as { job: { id: string }; token: string }[];
    return claimed.map(({ job, token }) => ({ path: `/queues/${queue}/jobs/${job.id}`, token }));
  };

  const claimed = async (): Promise<Held> => {
    const [held] = await claim();
    if (held === undefined) throw new Error('No job may start');
    return held;
  };

  const report = ({ path, token }: Held, verb: string, body: unknown, cost?: string) =>
    service.request('POST', `${path}/${verb}`, {
      body,
      token,
      ...(cost !== undefined && { headers: { 'jobgate-cost': cost } }),
    });

  const costsOf = async ({ path }: Held): Promise<readonly number[]> => {
    const { text } = await service.request('GET', `${path}/attempts`);
    return (JSON.parse(text) as { attempts: Told[] }).attempts.map(({ cost }) => cost);
  };

  // holds: costs.option
  it('are an option of jobs from 0 to 1,000,000', async () => {
    expect(await add(0, 1_000_000)).to.include({ status: 200 });
    for (const wrong of [-1, 1_000_001, 1.5, '5', null]) {
      const { status, text } = await add(wrong);
      expect([status, text.startsWith('[0].opts.cost must')]).to.deep.equal([400, true]);
    }
  });

  // holds: costs.option
  it('come with a job, its schedulers and the defaults of its policy', async () => {
    const defaults = { cost: 3 };
    await service.request('PUT', `/queues/${queue}/policy`, { body: { defaults } });
    await service.request('POST', `/queues/${queue}/jobs`, { body: [{ name: 'ask', data: 1 }] });
    const { path } = await claimed();
    const { text } = await service.request('GET', path);
    expect((JSON.parse(text) as { opts: Told }).opts.cost).to.equal(3);
    const scheduler = {
      repeat: { every: 1000 },
      template: { name: 'ask', data: 1, opts: { cost: 7 } },
    };
    const saved = await service.request('PUT', `/queues/${queue}/schedulers/s`, {
      body: scheduler,
    });
    expect([saved.status, saved.text.includes('"cost":7')]).to.deep.equal([saved.status, true]);
  });

  // holds: costs.corrected, costs.shown
  for (const [name, verb, body, cost] of [
    ['the header of a completion', 'complete', 1, '9'],
    ['the header of a failure', 'fail', { reason: 'no' }, '9'],
    ['the body of a failure', 'fail', { reason: 'no', cost: 9 }, undefined],
    ['the body of a failure before its header', 'fail', { reason: 'no', cost: 9 }, '2'],
    ['the header of a suspension', 'suspend', { sleep: { rest: 100_000 } }, '9'],
    ['the body of a suspension', 'suspend', { sleep: { rest: 100_000 }, cost: 9 }, undefined],
  ] as const) {
    it(`are what ${name} says`, async () => {
      await add(1, 2, 1);
      const held = await claimed();
      expect(await report(held, verb, body, cost)).to.include({ status: 200 });
      expect(await claim()).to.deep.equal([]);
      expect(await costsOf(held)).to.deep.equal([9]);
    });
  }

  // holds: costs.corrected
  it('are what the header of a release says', async () => {
    await add(10, 5);
    expect(await report(await claimed(), 'release', { delay: 60_000 }, '5')).to.include({
      status: 200,
    });
    await claimed();
  });

  // holds: costs.ignored
  for (const wrong of ['x', '-1', '1.5', '1e3', '1000001', '', '7, 8']) {
    it(`in a header are ignored when they are malformed: ${JSON.stringify(wrong)}`, async () => {
      await add(4, 6, 1);
      const held = await claimed();
      expect(await report(held, 'complete', 1, wrong)).to.include({ status: 200 });
      await claimed();
      expect(await claim()).to.deep.equal([]);
      expect(await costsOf(held)).to.deep.equal([4]);
    });
  }

  // holds: costs.ignored
  for (const wrong of ['x', -1, 1.5, 1_000_001, null, {}]) {
    it(`in a body are ignored when they are malformed: ${JSON.stringify(wrong)}`, async () => {
      await add(4, 1);
      const [failed, suspended] = await claim(2);
      if (failed === undefined || suspended === undefined) throw new Error('No jobs');
      const failure = { reason: 'no', cost: wrong };
      expect(await report(failed, 'fail', failure)).to.include({ status: 200 });
      const rest = { sleep: { rest: 100_000 }, cost: wrong };
      expect(await report(suspended, 'suspend', rest)).to.include({ status: 200 });
      expect(await costsOf(failed)).to.deep.equal([4]);
      expect(await costsOf(suspended)).to.deep.equal([1]);
    });
  }

  // holds: costs.shown
  it('add up in the figures of their queue', async () => {
    await add(2, 3);
    const [first] = await claim(2);
    if (first === undefined) throw new Error('No job');
    await report(first, 'complete', 1, '7');
    const { text } = await service.request('GET', `/queues/${queue}/figures`);
    const { series } = JSON.parse(text) as { series: { cost: (number | null)[] } };
    expect(series.cost.at(-1)).to.equal(10);
  });

  it('may be changed before the job starts', async () => {
    await add(8, 3);
    await claimed();
    expect(await claim()).to.deep.equal([]);
    const changed = await service.request('PATCH', `/queues/${queue}/jobs/2`, {
      body: { cost: 2 },
    });
    expect(changed.status).to.equal(200);
    expect((JSON.parse(changed.text) as { opts: Told }).opts.cost).to.equal(2);
    await claimed();
  });
});
