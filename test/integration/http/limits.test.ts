import { expect } from 'chai';
import type { TokenLimits } from '../../../src/domain/access/token-limits.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';
import { HttpService, type Answer } from './support/http-service.ts';

const MINUTE = 60_000;

describe('Limits', () => {
  let service: HttpService;

  afterEach(() => service.stop());

  /** Starts a service, and returns a token with these limits. */
  const tokenWith = async (limits: TokenLimits): Promise<string> => {
    service = await new HttpService().start();
    const body = { name: 'shop', rights: ['read', 'add', 'operate', 'metrics'], limits };
    const { text } = await service.request('POST', '/tokens', { body });
    return (JSON.parse(text) as { token: string }).token;
  };

  const add = (token: string, count: number): Promise<Answer> => {
    const body = Array.from({ length: count }, () => ({ name: 'a', data: 1 }));
    return service.request('POST', '/queues/mail/jobs', { token, body });
  };

  // holds: limits.requests
  it('refuse requests beyond those that a token may send, and say when it may send more', async () => {
    const token = await tokenWith({ requests: { max: 100, duration: MINUTE } });
    const answers = await Promise.all(
      Array.from({ length: 120 }, () => service.request('GET', '/whoami', { token })),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).to.have.lengthOf(20);
    for (const { text, headers } of refused) {
      expect(text).to.equal('This token may send 100 requests in 60000 ms');
      expect(headers.get('retry-after')).to.equal('60');
      expect(headers.get('ratelimit')).to.equal('"requests";r=0;t=60');
      expect(headers.get('ratelimit-policy')).to.equal('"requests";q=100;w=60');
    }
    expect((await service.request('GET', '/metrics', { token })).status).to.equal(200);
    expect((await service.request('GET', '/queues')).headers.has('ratelimit')).to.equal(false);
    await service.clock.advance(MINUTE);
    const { status, headers } = await service.request('GET', '/whoami', { token });
    expect([status, headers.get('ratelimit')]).to.deep.equal([200, '"requests";r=99;t=60']);
  });

  it('refuse a page of another site with a ticket in a way that lets it read why', async () => {
    const token = await tokenWith({ requests: { max: 1, duration: MINUTE } });
    const { text } = await service.request('POST', '/tickets', { token, body: {} });
    const { ticket } = JSON.parse(text) as { ticket: string };
    const { status, headers } = await service.request('GET', `/events?ticket=${ticket}`);
    expect(status).to.equal(429);
    expect(headers.get('access-control-allow-origin')).to.equal('*');
    expect(headers.get('ratelimit')).to.equal('"requests";r=0;t=60');
  });

  // holds: limits.requests
  it('cost at most 20 commands in their time', async () => {
    const token = await tokenWith({ requests: { max: 500, duration: MINUTE } });
    let leases = 0;
    const lease = service.quotas.lease.bind(service.quotas);
    service.quotas.lease = (...args) => {
      leases += 1;
      return lease(...args);
    };
    for (let round = 0; round < 6; round += 1) {
      await Promise.all(
        Array.from({ length: 100 }, () => service.request('GET', '/whoami', { token })),
      );
    }
    expect(leases).to.be.within(1, 18);
  });

  // holds: limits.jobs
  it('take a batch whole or not at all', async () => {
    const token = await tokenWith({ jobs: { max: 10, duration: MINUTE } });
    const first = await add(token, 8);
    expect(first.status).to.equal(200);
    expect(first.headers.get('ratelimit')).to.equal('"jobs";r=2;t=60');
    const second = await add(token, 3);
    expect([second.status, second.text]).to.deep.equal([
      429,
      'This token may add 10 jobs in 60000 ms',
    ]);
    expect(second.headers.get('ratelimit')).to.equal('"jobs";r=2;t=60');
    expect((await add(token, 2)).status).to.equal(200);
    const child = { name: 'a', queue: 'mail', data: 1 };
    const flow = { ...child, children: [child] };
    expect((await service.request('POST', '/flows', { token, body: flow })).status).to.equal(429);
    const { text } = await service.request('GET', '/queues/mail', { token });
    expect((JSON.parse(text) as { counts: { waiting: number } }).counts.waiting).to.equal(10);
    await service.clock.advance(MINUTE);
    expect((await service.request('POST', '/flows', { token, body: flow })).status).to.equal(200);
  });

  // holds: limits.jobs
  it('count a job that a run of a scheduler adds', async () => {
    const token = await tokenWith({ jobs: { max: 1, duration: MINUTE } });
    const path = '/queues/mail/schedulers/nightly';
    const body = { repeat: { every: 86_400_000 }, job: { name: 'job', data: 1 } };
    expect((await service.request('PUT', path, { body })).status).to.equal(200);
    expect((await service.request('POST', `${path}/run`, { token })).status).to.equal(200);
    expect((await service.request('POST', `${path}/run`, { token })).status).to.equal(429);
    expect((await add(token, 1)).status).to.equal(429);
  });

  describe('of jobs', () => {
    const store = (token: string | undefined, id: string, repeat: object, dryRun = false) => {
      const body = { repeat, job: { name: 'job', data: 1 } };
      const path = `/queues/mail/schedulers/${id}${dryRun ? '?dryRun=true' : ''}`;
      return service.request('PUT', path, { body, ...(token && { token }) });
    };

    const makes = async (jobs: TokenLimits['jobs'], token?: string): Promise<string> => {
      const body = { name: 'shop', rights: ['configure', 'operate', 'tokens'], limits: { jobs } };
      const { text } = await service.request('POST', '/tokens', { body, ...(token && { token }) });
      return (JSON.parse(text) as { token: string }).token;
    };

    const refusal = (field: string, added: number, whose = 'this token'): readonly unknown[] => [
      400,
      `${field} must keep the schedulers of ${whose} within its limit of 10 jobs in 60000 ms: ` +
        `with this one, they add ${added}`,
    ];

    beforeEach(async () => {
      service = await new HttpService().start();
    });

    // holds: limits.schedulers
    it('refuse a scheduler that adds more, also in a dry run', async () => {
      const token = await makes({ max: 10, duration: MINUTE });
      for (const dryRun of [false, true]) {
        const often = await store(token, 'often', { every: 1 }, dryRun);
        expect([often.status, often.text]).to.deep.equal(refusal('repeat.every', 60_000));
        const bursts = await store(token, 'bursts', { pattern: '0,1 0 9 * * *' }, dryRun);
        expect([bursts.status, bursts.text]).to.deep.equal(refusal('repeat.pattern', 60));
      }
      expect((await store(token, 'rare', { every: 6000 }, true)).status).to.equal(200);
      expect((await store(token, 'rare', { pattern: '0 0 29 2 *' })).status).to.equal(200);
      const { text } = await service.request('GET', '/queues/mail/schedulers');
      expect(JSON.parse(text)).to.have.lengthOf(1);
    });

    // holds: limits.schedulers
    it('hold for all schedulers of a token together, also paused ones and at once', async () => {
      const token = await makes({ max: 10, duration: MINUTE });
      expect((await store(undefined, 'another', { every: 1 })).status).to.equal(200);
      const ids = ['a', 'b', 'c', 'd'];
      const answers = await Promise.all(ids.map((id) => store(token, id, { every: 20_000 })));
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 400]);
      expect(answers[3]?.text).to.equal(refusal('repeat.every', 12)[1]);
      expect((await store(token, 'a', { every: 15_000 })).status).to.equal(200);
      const path = '/queues/mail/schedulers/a';
      expect((await service.request('POST', `${path}/pause`, { token })).status).to.equal(200);
      expect((await store(token, 'd', { every: 20_000 })).status).to.equal(400);
      expect((await service.request('DELETE', path, { token })).status).to.equal(200);
      expect((await store(token, 'd', { every: 20_000 })).status).to.equal(200);
    });

    // holds: limits.schedulers
    it('hold for the schedulers of the tokens that a token made', async () => {
      const parent = await makes({ max: 10, duration: MINUTE });
      const child = await makes({ max: 10, duration: MINUTE }, parent);
      expect((await store(child, 'a', { every: 10_000 })).status).to.equal(200);
      const { status, text } = await store(parent, 'b', { every: 10_000 });
      expect([status, text]).to.deep.equal(refusal('repeat.every', 12));
      expect((await store(parent, 'b', { every: 15_000 })).status).to.equal(200);
      const other = await store(child, 'c', { every: 60_000 });
      expect([other.status, other.text]).to.deep.equal(
        refusal('repeat.every', 11, 'the token that made this one'),
      );
    });

    // holds: limits.schedulers
    it('count each storing of a scheduler, whose first job may come at once', async () => {
      const token = await makes({ max: 2, duration: MINUTE });
      const repeat = { every: 86_400_000 };
      const statuses = [];
      for (const id of ['a', 'a', 'b']) statuses.push((await store(token, id, repeat)).status);
      expect(statuses).to.deep.equal([200, 200, 429]);
    });
  });

  // holds: limits.jobs
  it('are all named in each answer, with what is left of those that count', async () => {
    const token = await tokenWith({
      requests: { max: 100, duration: MINUTE },
      jobs: { max: 10, duration: 1000 },
    });
    const left = async (answer: ReturnType<typeof add>): Promise<readonly unknown[]> => {
      const { headers } = await answer;
      return [headers.get('ratelimit-policy'), headers.get('ratelimit')];
    };
    const policy = '"requests";q=100;w=60, "jobs";q=10;w=1';
    expect(await left(add(token, 2))).to.deep.equal([
      policy,
      '"requests";r=99;t=60, "jobs";r=8;t=1',
    ]);
    const read = service.request('GET', '/queues', { token });
    expect(await left(read)).to.deep.equal([policy, '"requests";r=98;t=60']);
  });

  it('say what is left of large numbers to the last job', async () => {
    const token = await tokenWith({ jobs: { max: 1_002_002, duration: MINUTE } });
    const left = async (of: string, count: number): Promise<string | null> =>
      (await add(of, count)).headers.get('ratelimit');
    expect(await left(token, 1)).to.equal('"jobs";r=1002001;t=60');
    expect(await left(token, 2)).to.equal('"jobs";r=1001999;t=60');
    await service.clock.advance(MINUTE);
    expect(await left(token, 1)).to.equal('"jobs";r=1002001;t=60');

    const { text } = await service.request('POST', '/tokens', {
      body: { name: 'small', rights: ['add'], limits: { jobs: { max: 1012, duration: 1500 } } },
    });
    const small = (JSON.parse(text) as { token: string }).token;
    expect(await left(small, 5)).to.equal('"jobs";r=1007;t=2');
    expect(await left(small, 8)).to.equal('"jobs";r=999;t=2');
    expect(await left(small, 999)).to.equal('"jobs";r=0;t=2');
  });

  // holds: limits.jobs
  it('leave the rest to other replicas when a batch exceeds it', async () => {
    const token = await tokenWith({ jobs: { max: 10, duration: MINUTE } });
    const granted: number[] = [];
    const lease = service.quotas.lease.bind(service.quotas);
    service.quotas.lease = async (...args) => {
      const answer = await lease(...args);
      granted.push(answer.granted);
      return answer;
    };
    const beyond = await add(token, 11);
    expect([beyond.status, beyond.headers.get('ratelimit')]).to.deep.equal([
      429,
      '"jobs";r=10;t=60',
    ]);
    expect(granted).to.deep.equal([]);
    await add(token, 4);
    expect((await add(token, 7)).status).to.equal(429);
    expect(granted).to.deep.equal([4]);
  });

  // holds: limits.change
  it('change with their token, and are those of the service where it has none', async () => {
    service = await new HttpService({
      limits: { requests: { max: 2, duration: MINUTE } },
    }).start();
    const body = {
      name: 'shop',
      rights: ['read'],
      limits: { requests: { max: 9, duration: 1000 } },
    };
    const made = await service.request('POST', '/tokens', { body });
    const { id, token, limits } = JSON.parse(made.text) as {
      id: string;
      token: string;
      limits: unknown;
    };
    expect(limits).to.deep.equal(body.limits);
    const own = await service.request('GET', '/whoami', { token });
    expect(own.headers.get('ratelimit')).to.equal('"requests";r=8;t=1');
    await service.request('PATCH', `/tokens/${id}`, { body: { limits: null } });
    const common = await service.request('GET', '/whoami', { token });
    expect(common.headers.get('ratelimit')).to.equal('"requests";r=1;t=60');
    expect((await service.request('GET', '/whoami')).status).to.equal(429);
  });

  // holds: limits.change
  it('are refused if they make no sense', async () => {
    service = await new HttpService().start();
    for (const [limits, field] of [
      [{ requests: { max: 0, duration: MINUTE } }, 'limits.requests.max'],
      [{ jobs: { max: 1 } }, 'limits.jobs.duration'],
      [{ calls: { max: 1, duration: MINUTE } }, 'limits.calls'],
    ] as const) {
      const body = { name: 'shop', rights: ['read'], limits };
      const { status, text } = await service.request('POST', '/tokens', { body });
      expect(status).to.equal(400);
      expect(text).to.include(field);
    }
  });

  // holds: tokens.children
  it('of a token and of the one that made it count together, and are taken from both or none', async () => {
    service = await new HttpService().start();
    const make = async (body: object, token?: string): Promise<string> => {
      const options = { body: { name: 'shop', ...body }, ...(token !== undefined && { token }) };
      const { text } = await service.request('POST', '/tokens', options);
      return (JSON.parse(text) as { token: string }).token;
    };
    const rights = ['read', 'add', 'tokens'];
    const limits = (max: number): object => ({ jobs: { max, duration: MINUTE } });
    const parent = await make({ rights, limits: limits(10) });
    const children = [await make({ rights: ['add'], limits: limits(8) }, parent)];
    children.push(await make({ rights: ['add'] }, parent));
    const [one = '', other = ''] = children;
    const first = await add(one, 6);
    expect(first.headers.get('ratelimit-policy')).to.equal('"jobs";q=8;w=60, "jobs-1";q=10;w=60');
    expect(first.headers.get('ratelimit')).to.equal('"jobs";r=2;t=60');
    expect((await add(other, 3)).headers.get('ratelimit')).to.equal('"jobs-1";r=1;t=60');
    const refused = await add(one, 2);
    expect([refused.status, refused.text]).to.deep.equal([
      429,
      'The token that made this one may add 10 jobs in 60000 ms',
    ]);
    expect((await add(one, 1)).headers.get('ratelimit')).to.equal('"jobs-1";r=0;t=60');
    expect((await add(parent, 1)).status).to.equal(429);
  });

  // holds: limits.outage
  it('stop no request while the store is away', async () => {
    const token = await tokenWith({ requests: { max: 1, duration: MINUTE } });
    service.quotas.lease = () => Promise.reject(storeUnavailable(new Error('gone')));
    for (let count = 0; count < 3; count += 1) {
      expect((await service.request('GET', '/whoami', { token })).status).to.equal(200);
    }
  });
});
