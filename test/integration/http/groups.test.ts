import { expect } from 'chai';
import { HttpService } from './support/http-service.ts';

interface Added {
  readonly id: string;
}

interface Claimed {
  readonly job: {
    readonly id: string;
    readonly opts: { readonly group?: { readonly id: string } };
  };
  readonly token: string;
}

interface JobList {
  readonly jobs: readonly Added[];
}

interface GroupAnswer {
  readonly id: string;
  readonly waiting: number;
}

describe('Groups over HTTP', () => {
  let service: HttpService;

  beforeEach(async () => {
    service = await new HttpService().start();
  });

  afterEach(() => service.stop());

  const add = (...groups: readonly string[]) =>
    service.request('POST', '/queues/mail/jobs', {
      body: groups.map((id) => ({
        name: 'send',
        data: null,
        opts: id === '' ? {} : { group: { id } },
      })),
    });

  const claim = async (count: number): Promise<readonly Claimed[]> => {
    const { text } = await service.request('POST', '/queues/mail/jobs/claim', { body: { count } });
    return JSON.parse(text) as readonly Claimed[];
  };

  // holds: groups.list
  it('are listed page by page, sorted by other than their ids among the first 10,000', async () => {
    await add('b', 'a', 'c', 'a', 'c', 'c');
    const list = async (query: string): Promise<string> => {
      const { status, text } = await service.request('GET', `/queues/mail/groups?${query}`);
      if (status !== 200) return `${status} ${text}`;
      const { total, groups } = JSON.parse(text) as { total: number; groups: GroupAnswer[] };
      return `${groups.map(({ id }) => id).join('')} of ${total}`;
    };
    expect(await list('')).to.equal('abc of 3');
    expect(await list('start=1&length=1')).to.equal('b of 3');
    expect(await list('sort=waiting')).to.equal('cab of 3');
    expect(await list('sort=waiting&start=1&length=1')).to.equal('a of 3');
    expect(await list('start=99999&length=1000')).to.equal(' of 3');
    expect(await list('sort=oldest&start=9001&length=1000')).to.match(
      /^400 .*start and length must reach at most 10000 unless sort is id/,
    );
  });

  // holds: groups.turns, groups.job
  it('take turns for clients that pull, and are shown with their jobs', async () => {
    const { status, text } = await add('acme', 'acme', 'acme', 'zoo', '');
    expect(status).to.equal(200);
    const [first] = JSON.parse(text) as readonly Added[];
    const listed = await service.request('GET', '/queues/mail/groups?sort=waiting');
    const { total, groups } = JSON.parse(listed.text) as {
      readonly total: number;
      readonly groups: readonly GroupAnswer[];
    };
    expect(total).to.equal(3);
    expect(groups[0]).to.deep.include({ id: 'acme', waiting: 3, active: 0, blocked: null });
    const taken = await claim(4);
    expect(taken.map(({ job }) => job.opts.group?.id ?? '')).to.deep.equal([
      'acme',
      'zoo',
      '',
      'acme',
    ]);
    const job = await service.request('GET', `/queues/mail/jobs/${first?.id ?? ''}?view=summary`);
    expect(JSON.parse(job.text)).to.include({ group: 'acme' });
  });

  // holds: groups.settings, groups.limits
  it('obey their settings, and say why none of their jobs starts', async () => {
    const path = `/queues/mail/groups/${encodeURIComponent('acme / 1')}`;
    const saved = await service.request('PUT', path, { body: { concurrency: 1 } });
    expect(JSON.parse(saved.text)).to.deep.include({
      id: 'acme / 1',
      settings: { concurrency: 1 },
    });
    await add('acme / 1', 'acme / 1');
    expect(await claim(2)).to.have.lengthOf(1);
    const blocked = await service.request('GET', '/queues/mail/groups?state=blocked');
    expect(JSON.parse(blocked.text)).to.deep.nested.include({
      total: 1,
      'groups[0].blocked': { reason: 'concurrency' },
    });
    expect((await service.request('POST', `${path}/pause`)).text).to.equal('OK');
    const paused = await service.request('GET', '/queues/mail/groups?state=paused');
    expect(JSON.parse(paused.text)).to.include({ total: 1 });
  });

  // holds: groups.room
  it('refuse jobs beyond their room with 429, and jobs that their order forbids with 400', async () => {
    await service.request('PUT', '/queues/mail/policy', {
      body: { groups: { maxWaiting: 1, ordered: 'skip' } },
    });
    const full = await add('zoo', 'acme', 'acme');
    expect(full).to.include({ status: 429, text: '[2].opts.group acme has 1 waiting job' });
    const flowOf = (opts: object) => ({
      queue: 'parents',
      name: 'all',
      data: null,
      children: [{}, {}].map(() => ({ queue: 'mail', name: 'send', data: null, opts })),
    });
    const flow = { body: flowOf({ group: { id: 'acme' } }) };
    expect(await service.request('POST', '/flows', flow)).to.include({
      status: 429,
      text: 'children[1].opts.group acme has 1 waiting job',
    });
    const unordered = { body: flowOf({ group: { id: 'zoo' }, lifo: true }) };
    const refusedFlow = await service.request('POST', '/flows', unordered);
    expect(refusedFlow.status).to.equal(400);
    expect(refusedFlow.text).to.include('children[0].opts.lifo');
    expect(full.headers.get('retry-after')).to.match(/^\d+$/);
    const job = { name: 'send', data: null, opts: { group: { id: 'zoo' }, priority: 1 } };
    const refused = await service.request('POST', '/queues/mail/jobs', { body: [job] });
    expect(refused).to.include({
      status: 400,
      text: '[0].opts.priority must not be given for a job of an ordered group',
    });
    const [waiting] = JSON.parse((await add('zoo')).text) as readonly Added[];
    const path = `/queues/mail/jobs/${waiting?.id ?? ''}`;
    expect(await service.request('PATCH', path, { body: { priority: 2 } })).to.include({
      status: 400,
      text: 'priority must not be given for a job of an ordered group',
    });
    const retry = { body: { opts: { priority: 2 } } };
    expect(await service.request('POST', `${path}/retry`, retry)).to.include({
      status: 400,
      text: 'opts.priority must not be given for a job of an ordered group',
    });
    const wrong = { name: 'send', data: null, opts: { group: { id: '', cost: 0 } } };
    expect((await service.request('POST', '/queues/mail/jobs', { body: [wrong] })).status).to.equal(
      400,
    );
  });

  // holds: groups.shown
  it('are found by searches and bulk repairs, and block their queue once all of them are blocked', async () => {
    await add('acme', 'acme', 'zoo');
    await claim(1);
    const found = await service.request('GET', '/queues/mail/jobs/search?group=acme&length=10');
    const { jobs } = JSON.parse(found.text) as { readonly jobs: readonly Added[] };
    expect(jobs.map(({ id }) => id)).to.have.members(['1', '2']);
    const repair = { filter: { group: 'zoo' }, dryRun: true };
    const repaired = await service.request('POST', '/queues/mail/cancel', { body: repair });
    expect(JSON.parse(repaired.text)).to.deep.include({ matched: 1, samples: ['3'] });
    for (const id of ['acme', 'zoo'])
      await service.request('POST', `/queues/mail/groups/${id}/pause`);
    expect(await claim(1)).to.have.lengthOf(0);
    const queue = await service.request('GET', '/queues/mail');
    expect(JSON.parse(queue.text)).to.deep.nested.include({ 'blocked.reason': 'groups' });
    for (const id of ['acme', 'zoo']) {
      expect((await service.request('POST', `/queues/mail/groups/${id}/resume`)).text).to.equal(
        'OK',
      );
    }
    expect(await claim(3)).to.have.lengthOf(2);
  });

  // holds: groups.shown
  it('have lists of their own, in pages over all states, with the counts of the queue', async () => {
    await add('acme', 'zoo', 'acme', '', 'acme', 'zoo');
    const delayed = { name: 'send', data: null, opts: { group: { id: 'acme' }, delay: 60_000 } };
    await service.request('POST', '/queues/mail/jobs', { body: [delayed] });
    await claim(1);
    const list = async (query: string): Promise<JobList> => {
      const { status, text } = await service.request('GET', `/queues/mail/jobs?${query}`);
      expect(status, text).to.equal(200);
      return JSON.parse(text) as JobList;
    };
    const pages = [0, 1, 2, 3, 4].map((start) => list(`group=acme&start=${start}&length=1`));
    const ids = (await Promise.all(pages)).map(({ jobs }) => jobs.map(({ id }) => id));
    expect(ids).to.deep.equal([['1'], ['5'], ['3'], ['7'], []]);
    expect(await list('group=acme&statuses=waiting')).to.deep.nested.include({
      start: 0,
      length: 10,
      'counts.waiting': 5,
      'jobs[0].id': '5',
      'jobs[1].id': '3',
    });
    const summaries = await list('group=&view=summary');
    expect(summaries.jobs).to.have.lengthOf(1);
    expect(summaries.jobs[0]).to.include({ id: '4', group: null });
    expect((await list('group=nobody')).jobs).to.deep.equal([]);
    expect((await service.request('GET', '/queues/empty/jobs?group=acme')).status).to.equal(404);
  });

  // holds: groups.shown
  it('are not listed where that takes too long, and lead to a search', async () => {
    const crowd = Array.from({ length: 1000 }, () => ({ name: 'send', data: null }));
    for (let added = 0; added < 100_000; added += crowd.length) {
      await service.request('POST', '/queues/mail/jobs', { body: crowd });
    }
    await add('acme');
    const large = await service.request('GET', '/queues/mail/jobs?group=&length=2&start=1000');
    expect((JSON.parse(large.text) as JobList).jobs).to.have.lengthOf(2);
    const { status, text } = await service.request('GET', '/queues/mail/jobs?group=acme');
    expect(status).to.equal(400);
    expect(text).to.equal(
      'group must be looked for with /jobs/search here: a list goes through 100000 jobs at most',
    );
  });
});
