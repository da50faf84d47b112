import { expect } from 'chai';
import { HttpService } from './support/http-service.ts';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

describe('Request ids and the request log', () => {
  let service: HttpService;

  beforeEach(async () => {
    service = await new HttpService().start();
  });

  afterEach(() => service.stop());

  const idFor = async (given: string): Promise<string | null> => {
    const { headers } = await service.request('GET', '/workers', {
      headers: { 'X-Request-Id': given },
    });
    return headers.get('x-request-id');
  };

  it('echoes an id that is harmless', async () => {
    expect(await idFor('req-1_2.3:4')).to.equal('req-1_2.3:4');
  });

  it('creates an id when a request has none, or one that is not harmless', async () => {
    const { headers } = await service.request('GET', '/nowhere', { token: 'wrong' });
    expect(headers.get('x-request-id')).to.match(UUID);
    for (const id of ['', 'a b', 'x'.repeat(129), '<script>', 'é']) {
      expect(await idFor(id), id).to.match(UUID);
    }
  });

  it('logs success at debug level, with the pattern of the path instead of its names', async () => {
    await service.request('POST', '/queues/personal/jobs', { body: [] });
    const { level, fields } = await service.logger.line(({ message }) => /answered/.test(message));
    expect(level).to.equal('debug');
    expect(fields).to.include({ method: 'POST', route: '/queues/:queue/jobs', status: 200 });
    expect(fields['requestId']).to.match(UUID);
    expect(fields['duration']).to.be.a('number').and.be.at.least(0);
    expect(JSON.stringify(service.logger.lines)).not.to.contain('personal');
  });

  it('logs failures at the default level', async () => {
    await service.request('GET', '/nowhere');
    const { level, fields } = await service.logger.line(({ message }) => /answered/.test(message));
    expect(level).to.equal('info');
    expect(fields).to.include({
      method: 'GET',
      route: 'none',
      status: 404,
      code: 'path-not-found',
    });
  });

  const JOBS = '/queues/mail/jobs';
  const jobs = (...more: object[]) => [{ name: 'a', data: 1 }, ...more];
  for (const [what, method, path, body, expected] of [
    [
      'a field',
      'POST',
      JOBS,
      jobs({ name: 'a', data: 1, opts: { priority: -1 } }),
      '[1].opts.priority',
    ],
    ['an unknown field', 'POST', JOBS, jobs({ name: 'a', data: 1, dta: 1 }), '[1].dta'],
    ['a query parameter', 'GET', `${JOBS}?start=x`, undefined, 'start'],
    ['an unknown status', 'GET', `${JOBS}?statuses=done`, undefined, 'statuses'],
    ['an unknown parameter', 'GET', `${JOBS}?begin=1`, undefined, 'begin'],
  ] as const) {
    // holds: security.mistakes-logged
    it(`names the code, the field and the queue of a mistake: ${what}`, async () => {
      const { status } = await service.request(method, path, { body });
      expect(status).to.equal(400);
      const { fields } = await service.logger.line(({ message }) => /answered/.test(message));
      expect(fields).to.include({ code: 'invalid-request', field: expected, queue: 'mail' });
    });
  }

  // holds: security.mistakes-logged
  it('names the field of a worker', async () => {
    const worker = { queue: 'mail', endpoint: { url: 'ftp://host', method: 'post' } };
    await service.request('POST', '/workers', { body: worker });
    const { fields } = await service.logger.line(({ message }) => /answered/.test(message));
    expect(fields).to.include({ code: 'invalid-request', field: 'endpoint.url' });
  });

  it('repeats little of what a client sent, and nothing of the data of a job', async () => {
    const long = 'q'.repeat(1000);
    await service.request('GET', `/queues/${long}/jobs`);
    await service.request('POST', JOBS, { body: [{ name: 'a', data: 1, [long]: 1 }] });
    await service.request('POST', JOBS, { body: '[{"name":"a","data":{"personal":1e400}}]' });
    await service.request('POST', `${JOBS}/1/progress`, { body: '{"personal":1e400}' });
    const lines = service.logger.lines.filter(({ message }) => /answered/.test(message));
    expect(lines.map(({ fields }) => fields['status'])).to.deep.equal([400, 400, 400, 400]);
    expect(JSON.stringify(lines)).not.to.contain('personal').and.not.to.contain('q'.repeat(201));
  });

  it('does not count a client that has no token yet and asks who it is, as the dashboard does', async () => {
    expect((await fetch(`${service.url}/whoami`)).status).to.equal(401);
    await service.request('GET', '/nowhere');
    await service.logger.line(({ fields }) => fields['status'] === 404);
    expect(service.logger.lines.filter(({ level }) => level === 'warn')).to.deep.equal([]);
    await service.request('GET', '/whoami', { token: 'wrong' });
    const { fields } = await service.logger.line(({ level }) => level === 'warn');
    expect(fields['routes']).to.deep.equal({ '/whoami': 1 });
  });

  // holds: security.unauthorized-counted
  it('counts requests without a valid token, in place of a line for each', async () => {
    for (let n = 0; n < 20; n += 1) await service.request('GET', '/workers', { token: 'wrong' });
    await service.request('GET', '/nowhere');
    await service.logger.line(({ fields }) => fields['status'] === 404);
    const lines = service.logger.lines.filter(({ level }) => level !== 'debug');
    expect(
      lines.map(({ level, message, fields }) => [level, message, fields['count']]),
    ).to.deep.equal([
      ['warn', 'Requests without a valid token were refused', 1],
      ['info', 'Request answered', undefined],
    ]);
    expect(lines[0]!.fields['addresses']).to.deep.equal({ '127.0.0.1': 1 });
  });

  for (const [method, path, body, expected, fields] of [
    ['POST', '/queues/mail/pause', undefined, 'Queue paused', {}],
    ['POST', '/queues/mail/resume', undefined, 'Queue resumed', {}],
    ['POST', '/queues/mail/drain', { delayed: true }, 'Queue drained', { removed: 3 }],
    ['DELETE', '/queues/mail/hold', undefined, 'Hold of a queue ended', {}],
    [
      'POST',
      '/queues/mail/cancel',
      { all: true },
      'Jobs cancelled in bulk',
      { matched: 3, done: 3, remaining: 0 },
    ],
    [
      'POST',
      '/queues/mail/promote',
      { all: true },
      'Jobs promoted in bulk',
      { matched: 2, done: 2, remaining: 0 },
    ],
    ['PUT', '/queues/mail/policy', { maxWaiting: 5 }, 'Policy stored', {}],
    [
      'DELETE',
      '/queues/mail?confirm=mail',
      undefined,
      'Queue removed',
      { jobs: 3, schedulers: 0, worker: false },
    ],
  ] as const) {
    // holds: log.changes
    it(`has one line for a manual change: ${expected}`, async () => {
      const delayed = { name: 'a', data: 1, opts: { delay: 60_000 } };
      const some = [{ name: 'a', data: 1 }, delayed, delayed];
      await service.request('POST', JOBS, { body: some });
      const headers = { 'X-Request-Id': 'by-hand' };
      const { status } = await service.request(method, path, { body, headers });
      expect(status).to.equal(200);
      const lines = service.logger.lines.filter(({ level }) => level === 'info');
      const action = lines[0]?.fields['action'];
      const audited = { audit: true, who: 'environment:1', tokenId: 'environment:1', action };
      expect(action).to.be.a('string');
      expect(lines).to.deep.equal([
        {
          level: 'info',
          message: expected,
          fields: { requestId: 'by-hand', queue: 'mail', ...fields, ...audited },
        },
      ]);
    });
  }

  // holds: log.changes
  it('has no line for a dry run', async () => {
    await service.request('POST', '/queues/mail/cancel', { body: { all: true, dryRun: true } });
    await service.logger.line(({ fields }) => fields['status'] === 200);
    expect(service.logger.lines.filter(({ level }) => level === 'info')).to.deep.equal([]);
  });
});
