import { expect } from 'chai';
import type { ServiceContext } from './context.ts';

/** The rules of the whole REST interface. */
export function describeRestRules(context: ServiceContext): void {
  describe('the REST interface', () => {
    it('answers the probes without a token', async () => {
      const live = await fetch(`${context.service.url}/health/live`);
      expect([live.status, await live.json()]).to.deep.equal([200, { status: 'up' }]);
      const ready = await fetch(`${context.service.url}/health/ready`);
      expect([ready.status, await ready.json()]).to.deep.equal([200, { status: 'ready' }]);
    });

    for (const [method, path] of [
      ['POST', '/queues/some-queue/jobs'],
      ['GET', '/queues/some-queue/jobs'],
      ['GET', '/queues/some-queue/jobs/1'],
      ['POST', '/queues/some-queue/jobs/1/progress'],
      ['POST', '/queues/some-queue/jobs/1/logs'],
      ['GET', '/queues/some-queue/jobs/1/logs'],
      ['POST', '/workers'],
      ['GET', '/workers'],
      ['GET', '/workers/some-queue'],
      ['DELETE', '/workers/some-queue'],
      ['GET', '/nowhere'],
    ] as const) {
      // holds: auth.api-token
      it(`answers ${method} ${path} with 401 when the token is wrong`, async () => {
        const answer = await context.call(
          method,
          path,
          method === 'POST' ? 'x' : undefined,
          'wrong',
        );
        expect(answer.status).to.equal(401);
        expect(answer.headers.get('www-authenticate')).to.equal('Bearer error="invalid_token"');
      });
    }

    // holds: service.unavailable, unavailable.paths
    it('offers repeated jobs only as schedulers', async () => {
      const repeated = [{ name: 'a', data: 1, opts: { repeat: { every: 1000 } } }];
      expect(await context.call('POST', '/queues/some-queue/jobs', repeated)).to.deep.include({
        status: 400,
        body: '[0].opts.repeat is not a known field',
      });
    });

    it('answers unknown paths and methods', async () => {
      expect((await context.call('GET', '/nowhere')).status).to.equal(404);
      const wrong = await context.call('PATCH', '/workers');
      expect(wrong.status).to.equal(405);
      expect(wrong.headers.get('allow')).to.match(/GET.*POST|POST.*GET/);
    });

    it('answers with problem details to a client that accepts them', async () => {
      const response = await fetch(`${context.service.url}/queues/ab/jobs`, {
        headers: {
          authorization: 'bearer test-token',
          accept: 'application/problem+json',
        },
      });
      expect(response.status).to.equal(400);
      expect(response.headers.get('content-type')).to.include('application/problem+json');
      expect(await response.json()).to.deep.include({ status: 400 });
    });
  });
}
