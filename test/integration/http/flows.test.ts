import { expect } from 'chai';
import { HttpService, type Answer } from './support/http-service.ts';

/** A chain of that many jobs, one above the other. */
function chain(levels: number): object {
  const job = { queue: 'deep', name: 'link', data: levels };
  return levels === 1 ? job : { ...job, children: [chain(levels - 1)] };
}

describe('Flows', () => {
  let service: HttpService;

  before(async () => {
    service = await new HttpService({ keptIn: 'disk' }).start();
  });

  after(() => service.stop());

  const post = (body: unknown): Promise<Answer> => service.request('POST', '/flows', { body });

  async function read(path: string): Promise<unknown> {
    const { status, text } = await service.request('GET', path);
    expect(status).to.equal(200);
    return JSON.parse(text);
  }

  async function added(body: unknown): Promise<Tree> {
    const { status, text } = await post(body);
    expect(status, text).to.equal(200);
    return JSON.parse(text) as Tree;
  }

  const report = (queue: string, below = `${queue}-below`): Record<string, unknown> => ({
    queue,
    name: 'report',
    data: { year: 2026 },
    children: [
      { queue: below, name: 'sales', data: 1, opts: { attempts: 2 } },
      { queue: below, name: 'costs', data: null, onChildFailure: 'ignore' },
    ],
  });

  // holds: flows.add
  it('answers the tree with ids', async () => {
    const tree = await added(report('answered'));
    const [sales, costs] = tree.children;
    expect(tree).to.deep.equal({
      queue: 'answered',
      id: tree.id,
      name: 'report',
      data: { year: 2026 },
      opts: { attempts: 0, delay: 0 },
      children: [
        {
          queue: 'answered-below',
          id: sales!.id,
          name: 'sales',
          data: 1,
          opts: { attempts: 2, delay: 0 },
          onChildFailure: 'wait',
          children: [],
        },
        {
          queue: 'answered-below',
          id: costs!.id,
          name: 'costs',
          data: null,
          opts: { attempts: 0, delay: 0, ignoreDependencyOnFailure: true },
          onChildFailure: 'ignore',
          children: [],
        },
      ],
    });
    expect(new Set([tree.id, sales!.id, costs!.id]).size).to.equal(3);
    for (const { queue, id } of [tree, sales!, costs!]) {
      expect(await read(`/queues/${queue}/jobs/${id}`)).to.include({ id });
    }
  });

  // holds: flows.tree, flows.children
  it('shows the tree and the children of a job as they are', async () => {
    const tree = await added(report('shown'));
    const attempt = await service.claim('shown-below');
    await service.settle('shown-below', attempt, { kind: 'completed', returnvalue: { sum: 9 } });
    const { id } = tree;
    const [sales, costs] = tree.children;
    const ended = { state: 'completed', returnvalue: { sum: 9 } };
    const waiting = { state: 'waiting', returnvalue: null };
    expect(await read(`/queues/shown/jobs/${id}/children`)).to.deep.equal([
      { queue: 'shown-below', id: sales!.id, name: 'sales', ...ended },
      { queue: 'shown-below', id: costs!.id, name: 'costs', ...waiting },
    ]);
    const shown = (await read(`/flows/shown/${id}`)) as Tree;
    expect(shown).to.deep.include({ ...tree, state: 'waiting-children', children: shown.children });
    const { timestamp } = shown;
    const times = { timestamp, processedOn: timestamp, finishedOn: timestamp };
    expect(shown.children[0]).to.deep.equal({ ...sales, ...ended, ...times });
    expect(shown.children[1]).to.deep.equal({ ...costs, ...waiting, timestamp });
    expect(await read(`/queues/shown-below/jobs/${sales!.id}/children`)).to.deep.equal([]);
    expect(await read(`/queues/shown/jobs/${id}`)).to.include({ state: 'waiting-children' });
  });

  // holds: waiting-children.listed
  it('lists jobs that wait for children on request, alone or with all others', async () => {
    const child = { queue: 'listed', name: 'child', data: 1 };
    await added({ queue: 'listed', name: 'root', data: 1, children: [child] });
    const listed = async (statuses: string) => {
      const page = (await read(`/queues/listed/jobs?statuses=${statuses}`)) as {
        readonly counts: object;
        readonly jobs: readonly { readonly name: string }[];
      };
      return { counts: page.counts, names: page.jobs.map(({ name }) => name) };
    };
    expect(await listed('waiting-children')).to.deep.include({ names: ['root'] });
    const both = await listed('all,waiting-children');
    expect(both.names).to.have.members(['child', 'root']);
    expect(both.counts).to.include({ waiting: 1, 'waiting-children': 1 });
    const all = await listed('all');
    expect(all.names).to.deep.equal(['child']);
    expect(all.counts).not.to.have.property('waiting-children');
    const { jobs } = (await read('/queues/listed/jobs/search?statuses=all,waiting-children')) as {
      readonly jobs: readonly object[];
    };
    expect(jobs).to.have.length(2);
  });

  // holds: flows.tree, flows.tree-values
  it('shows a tree of several levels, and leaves out what is longer than 1 kB', async () => {
    const leaf = (data: unknown): object => ({ queue: 'levels', name: 'leaf', data });
    const tree = await added({
      queue: 'levels',
      name: 'root',
      data: 'x'.repeat(2000),
      children: [
        { ...leaf(1), children: [leaf('x'.repeat(300_000)), { ...leaf(2), children: [leaf(3)] }] },
        leaf(4),
      ],
    });
    const shown = (await read(`/flows/levels/${tree.id}`)) as Tree;
    const without = ({ data, children, ...job }: Tree & { data?: unknown }): object => ({
      ...job,
      timestamp: shown.timestamp,
      ...(String(data).length < 1000 && { data }),
      state: children.length > 0 ? 'waiting-children' : 'waiting',
      returnvalue: null,
      children: children.map(without),
    });
    expect(shown.timestamp).to.be.above(0);
    expect(shown).to.deep.equal(without(tree));
  });

  // holds: flows.tree-pieces
  it('shows a tree of 10,000 jobs', async () => {
    const leaf = { queue: 'shown-wide', name: 'leaf', data: 'x'.repeat(100) };
    const children = Array.from({ length: 9999 }, () => leaf);
    const tree = await added({ queue: 'shown-wide', name: 'root', data: 1, children });
    const shown = (await read(`/flows/shown-wide/${tree.id}`)) as Tree;
    expect(shown.children.map(({ id }) => id)).to.deep.equal(tree.children.map(({ id }) => id));
  });

  for (const path of ['/flows/nowhere/1', '/queues/nowhere/jobs/1/children']) {
    // holds: flows.unknown
    it(`answers 404 to ${path} without such a job`, async () => {
      expect(await service.request('GET', path)).to.include({ status: 404, text: 'Job not found' });
    });
  }

  // holds: flows.limits
  it('accepts a hundred queues, its own among them, and refuses more', async () => {
    const flow = (queues: number): object => ({
      queue: 'wide',
      name: 'report',
      data: 1,
      children: Array.from({ length: queues - 1 }, (_, queue) => {
        return { queue: `wide-${queue}`, name: 'part', data: 1 };
      }),
    });
    const { status, text } = await service.request('POST', '/flows', { body: flow(101) });
    expect([status, text.trim()]).to.deep.equal([400, 'a flow may name at most 100 queues']);
    expect((await service.request('GET', '/queues/wide')).status).to.equal(404);
    expect((await service.request('POST', '/flows', { body: flow(100) })).status).to.equal(200);
  });

  // holds: flows.limits
  it('accepts ten levels, and refuses eleven', async () => {
    expect((await post(chain(10))).status).to.equal(200);
    const { status, text } = await post(chain(11));
    const field = Array<string>(9).fill('children[0]').join('.');
    expect([status, text]).to.deep.equal([
      400,
      `${field}.children must be left out beyond 10 levels`,
    ]);
  });

  // holds: flows.limits
  it('accepts 10,000 jobs, and refuses one more', async () => {
    const leaves = (count: number): object[] =>
      Array.from({ length: count }, () => ({ queue: 'wide', name: 'leaf', data: 1 }));
    const root = { queue: 'wide', name: 'root', data: 1 };
    expect((await post({ ...root, children: leaves(9999) })).status).to.equal(200);
    const halves = [
      { ...root, children: leaves(5000) },
      { ...root, children: leaves(4998) },
    ];
    const { status, text } = await post({ ...root, children: halves });
    expect([status, text]).to.deep.equal([
      400,
      'children[1].children must not bring a flow over 10000 jobs',
    ]);
  });

  const job = { queue: 'mail', name: 'a', data: 1 };
  for (const [body, message] of [
    ['[]', /^must be an object$|object/],
    [{ ...job, queue: undefined }, /^queue must be a string/],
    [{ ...job, data: undefined }, /^data must be present/],
    [{ ...job, extra: 1 }, /^extra is not a known field$/],
    [{ ...job, children: {} }, /^children must be an array of jobs$/],
    [{ ...job, children: [1] }, /^children\[0\] must be an object$/],
    [{ ...job, children: [{ ...job, queue: 'a:b' }] }, /^children\[0\]\.queue must be a string/],
    [
      { ...job, children: [{ ...job, opts: { attempts: -1 } }] },
      /^children\[0\]\.opts\.attempts must be an integer/,
    ],
    [
      { ...job, children: [{ ...job, onChildFailure: 'retry' }] },
      /^children\[0\]\.onChildFailure must be wait, fail, continue or ignore$/,
    ],
    [{ ...job, onChildFailure: 'fail' }, /^onChildFailure must be left out/],
    [
      { ...job, children: [{ ...job, opts: { deduplication: { id: 'a' } } }] },
      /^children\[0\]\.opts\.deduplication must be left out/,
    ],
    [{ ...job, opts: { ttl: 5 }, children: [job] }, /^opts\.ttl must be left out/],
    [
      { ...job, opts: { jobId: 'a' }, children: [{ ...job, opts: { jobId: 'a' } }] },
      /^children\[0\]\.opts\.jobId must be another one/,
    ],
    ['{"queue":"mail","name":"a","data":9007199254740993}', /^data is an integer that would lose/],
  ] as const) {
    // holds: flows.checked
    it(`refuses ${JSON.stringify(body).slice(0, 90)}`, async () => {
      const { status, text } = await post(body);
      expect(status).to.equal(400);
      expect(text).to.match(message);
    });
  }

  // holds: flows.page
  it('shows the children by page, in the order in which they were given', async () => {
    const children = Array.from({ length: 120 }, (_, data) => ({ queue: 'many', name: 'a', data }));
    const { id } = await added({ queue: 'paged', name: 'a', data: 1, children });
    const path = `/queues/paged/jobs/${id}/children`;
    const ids = async (query: string): Promise<unknown[]> =>
      ((await read(path + query)) as readonly Tree[]).map((child) => child.id);
    const all = Array.from(children, (_, index) => `${id}-${index + 1}`);
    expect(await ids('')).to.deep.equal(all);
    expect(await ids('?start=30&length=60')).to.deep.equal(all.slice(30, 90));
    expect(await ids('?start=115&length=10000')).to.deep.equal(all.slice(115));
    expect(await ids('?start=120')).to.deep.equal([]);
    expect(await ids('?length=0')).to.deep.equal([]);
    const { status, text } = await service.request('GET', `${path}?length=10001`);
    expect([status, text]).to.deep.equal([400, 'length must be an integer from 0 to 10000']);
  });

  // holds: flows.cancel, flows.cancel-children
  it('cancels a parent alone, and on request with its children', async () => {
    const tree = await added(report('cancelled'));
    const cancel = (body?: unknown): Promise<Answer> =>
      service.request('POST', `/queues/cancelled/jobs/${tree.id}/cancel`, { body });
    const state = async ({ queue, id }: Tree): Promise<unknown> =>
      ((await read(`/queues/${queue}/jobs/${id}`)) as { state: unknown }).state;
    expect(await cancel({ children: 'yes' })).to.include({
      status: 400,
      text: 'children must be true or false',
    });
    expect(await cancel()).to.include({ status: 200, text: 'OK' });
    expect(await cancel({ children: false })).to.include({ status: 409, text: 'Job is failed' });
    expect(await Promise.all(tree.children.map(state))).to.deep.equal(['waiting', 'waiting']);
    expect(await cancel({ children: true, reason: 'No' })).to.include({ status: 200, text: 'OK' });
    const shown = await read(`/flows/cancelled/${tree.id}`);
    expect(shown).to.include({ state: 'failed', failedReason: 'Cancelled' });
    for (const child of (shown as Tree).children) {
      expect(child).to.include({ state: 'failed', failedReason: 'No' });
    }
    expect(await cancel({ children: true })).to.include({ status: 409, text: 'Job is failed' });
  });

  // holds: flows.all-or-nothing
  it('answers 409 for an id that exists, and stores nothing', async () => {
    const mine = { ...job, queue: 'taken', opts: { jobId: 'mine' } };
    await added(mine);
    const { status, text } = await post({ ...job, queue: 'untaken', children: [mine] });
    expect([status, text]).to.deep.equal([409, 'Job mine of queue taken exists']);
    expect((await service.request('GET', '/queues/untaken/jobs')).status).to.equal(404);
  });

  // holds: flows.policies
  it('follows the policies of the queues', async () => {
    const body = { defaults: { attempts: 7, ttl: 60_000 }, maxWaiting: 1, maxJobSize: 50 };
    await service.request('PUT', '/queues/bounded/policy', { body });
    const bounded = { queue: 'bounded', name: 'a', data: 1 };
    const tree = await added({ ...bounded, children: [bounded] });
    expect(tree.opts).to.deep.equal({ attempts: 7, delay: 0 });
    expect(tree.children[0]!.opts).to.deep.equal({ attempts: 7, delay: 0, ttl: 60_000 });
    expect((await post({ ...job, children: [bounded] })).status).to.equal(429);
    expect((await post({ ...bounded, data: 'x'.repeat(50) })).status).to.equal(413);
  });
});

interface Tree {
  readonly queue: string;
  readonly id: string;
  readonly opts: object;
  readonly timestamp?: number;
  readonly children: readonly Tree[];
}
