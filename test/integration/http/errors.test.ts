import { expect } from 'chai';
import { storedOrNot, storeUnavailable } from '../../../src/domain/errors.ts';
import { failing } from './support/failing-application.ts';
import { HttpService } from './support/http-service.ts';

const PROBLEM = { headers: { Accept: 'text/html, application/problem+json;q=0.9' } };

describe('Errors', () => {
  let service: HttpService;

  before(async () => {
    service = await new HttpService().start();
  });

  after(() => service.stop());

  for (const path of ['/', '/queue', '/queues/mail/job', '/WORKERS', '/workers/mail/x']) {
    // holds: answers.unknown-route
    it(`answers 404 for the unknown path ${path}`, async () => {
      const { status, text } = await service.request('GET', path);
      expect([status, text]).to.deep.equal([404, 'There is nothing at this path']);
    });
  }

  it('tolerates one slash at the end of a path', async () => {
    expect((await service.request('GET', '/workers/')).status).to.equal(200);
    expect((await service.request('GET', '/workers//')).status).to.equal(404);
  });

  for (const [method, path, allow] of [
    ['PUT', '/queues/mail/jobs', 'GET, HEAD, POST'],
    ['OPTIONS', '/queues/mail/jobs', 'GET, HEAD, POST'],
    ['PUT', '/queues/mail/jobs/1', 'DELETE, GET, HEAD, PATCH'],
    ['GET', '/queues/mail/jobs/1/promote', 'POST'],
    ['GET', '/queues/mail/jobs/1/progress', 'POST'],
    ['HEAD', '/queues/mail/jobs/1/progress', 'POST'],
    ['PUT', '/workers/mail', 'DELETE, GET, HEAD, PATCH'],
  ] as const) {
    // holds: answers.method-not-allowed
    it(`answers 405 for ${method} ${path}`, async () => {
      const { status, headers, text } = await service.request(method, path);
      expect([status, headers.get('allow')]).to.deep.equal([405, allow]);
      if (method !== 'HEAD') expect(text).to.equal(`${method} is not allowed here, only ${allow}`);
    });
  }

  it('answers HEAD as it would GET, without the body', async () => {
    await service.request('POST', '/queues/heads/jobs', { body: [{ name: 'a', data: 1 }] });
    const get = await service.request('GET', '/queues/heads/jobs/1');
    const head = await service.request('HEAD', '/queues/heads/jobs/1');
    expect([head.status, head.text]).to.deep.equal([200, '']);
    expect(head.headers.get('content-length')).to.equal(get.headers.get('content-length'));
    expect((await service.request('HEAD', '/queues/heads/jobs/7')).status).to.equal(404);
  });

  it('refuses query parameters where none are taken', async () => {
    for (const [method, path] of [
      ['POST', '/queues/mail/jobs?dry=1'],
      ['GET', '/workers?x'],
      ['DELETE', '/workers/mail?x'],
    ] as const) {
      const { status, text } = await service.request(method, path);
      expect(status).to.equal(400);
      expect(text).to.match(/^(dry|x) is not a known query parameter$/);
    }
  });

  it('name the query parameter that was probably meant', async () => {
    for (const [given, meant] of [
      ['status', ': did you mean statuses?'],
      ['lenght', ': did you mean length?'],
      ['view=summary&Start', ': did you mean start?'],
      ['colour', ''],
      ['x'.repeat(30), ''],
    ] as const) {
      const { status, text } = await service.request('GET', `/queues/mail/jobs?${given}=1`);
      expect(status).to.equal(400);
      const name = given.split('&').at(-1) ?? '';
      expect(text).to.equal(`${name} is not a known query parameter${meant}`);
    }
  });

  describe('for a client that accepts problems (RFC 9457)', () => {
    const problem = async (method: string, path: string, body?: unknown) => {
      const { status, headers, text } = await service.request(method, path, { ...PROBLEM, body });
      expect(headers.get('content-type')).to.equal('application/problem+json; charset=utf-8');
      const parsed = JSON.parse(text) as Record<string, unknown>;
      expect(parsed).to.include({ status, type: 'about:blank' });
      return parsed;
    };

    // holds: answers.problem
    it('says it in text to a client that refuses problems with q=0', async () => {
      for (const Accept of ['application/problem+json;q=0', 'application/problem+json; q=0.000']) {
        const { headers } = await service.request('GET', '/nowhere', { headers: { Accept } });
        expect(headers.get('content-type')).to.equal('text/plain; charset=utf-8');
      }
    });

    // holds: answers.problem
    it('says the same in JSON', async () => {
      expect(await problem('POST', '/queues/mail/jobs', '{}')).to.include({
        title: 'Bad Request',
        detail: 'The request body must be an array of jobs',
        code: 'invalid-request',
      });
      expect(await problem('GET', '/nowhere')).to.include({ status: 404, title: 'Not Found' });
      expect(await problem('PUT', '/workers')).to.include({ status: 405 });
      expect(await problem('GET', '/queues/a:b/jobs/1')).to.include({ status: 400 });
      expect(await problem('GET', '/queues/mail/jobs/77')).to.include({ detail: 'Job not found' });
    });
  });

  describe('of the store', () => {
    let broken: HttpService;

    before(async () => {
      const jobs = failing(storeUnavailable(new Error('connect ECONNREFUSED 10.1.2.3:6379')));
      broken = await new HttpService({ replace: { jobs } }).start();
    });

    after(() => broken.stop());

    // holds: answers.nothing-internal
    it('are 503 with a time to retry, and reveal nothing of the store', async () => {
      for (const [method, path, body] of [
        ['POST', '/queues/mail/jobs', '[]'],
        ['GET', '/queues/mail/jobs', undefined],
        ['GET', '/queues/mail/jobs/1', undefined],
        ['POST', '/queues/mail/jobs/1/progress', '5'],
        ['POST', '/queues/mail/jobs/1/logs', 'line'],
        ['GET', '/queues/mail/jobs/1/logs', undefined],
      ] as const) {
        const { status, headers, text } = await broken.request(method, path, { body });
        expect([status, headers.get('retry-after')], path).to.deep.equal([503, '1']);
        expect(text).to.equal('The store is unavailable, try again later');
      }
      expect(broken.logger.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
    });
  });

  describe('of a store that was lost in the commit', () => {
    let broken: HttpService;

    before(async () => {
      const jobs = failing(storedOrNot(new Error('connect ECONNREFUSED 10.1.2.3:6379')));
      broken = await new HttpService({ replace: { jobs } }).start();
    });

    after(() => broken.stop());

    // holds: store.not-stored
    it('are 503 that do not say that nothing is stored, of a change', async () => {
      const change = await broken.request('POST', '/queues/mail/jobs', { body: '[]' });
      expect(change.status).to.equal(503);
      expect(change.headers.get('jobgate-stored')).to.equal('unknown');
      expect(change.headers.get('retry-after')).to.equal('1');
      const read = await broken.request('GET', '/queues/mail/jobs');
      expect([read.status, read.headers.get('jobgate-stored')]).to.deep.equal([503, null]);
    });
  });

  describe('that are unexpected', () => {
    let broken: HttpService;
    const error = new Error('secret detail');

    before(async () => {
      broken = await new HttpService({ replace: { jobs: failing(error) } }).start();
    });

    after(() => broken.stop());

    // holds: answers.nothing-internal
    it('are 500 without the cause, which goes to the log', async () => {
      const { status, headers, text } = await broken.request('GET', '/queues/mail/jobs/1');
      expect([status, text]).to.deep.equal([500, 'Internal server error']);
      const line = broken.logger.lines.find(({ level }) => level === 'error');
      expect(line?.fields).to.include({ error, route: '/queues/:queue/jobs/:jobId' });
      expect(line?.fields['requestId']).to.equal(headers.get('x-request-id'));
    });

    it('reveal no more as problems', async () => {
      const { text } = await broken.request('GET', '/queues/mail/jobs', PROBLEM);
      expect(JSON.parse(text)).to.include({ status: 500, detail: 'Internal server error' });
    });
  });
});
