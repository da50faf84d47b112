import { expect } from 'chai';
import { Health } from '../../../src/application/health/health.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';
import { HttpService } from './support/http-service.ts';

describe('Health endpoints', () => {
  let service: HttpService;

  beforeEach(async () => {
    service = await new HttpService({ tokens: [] }).start();
  });

  afterEach(() => service.stop());

  it('need no token, and ignore any query', async () => {
    for (const path of ['/health/live', '/health/live?verbose=1&verbose=2']) {
      const { status, text } = await service.request('GET', path, { token: 'wrong' });
      expect([status, text]).to.deep.equal([200, '{"status":"up"}']);
    }
    const { status, text } = await service.request('GET', '/health/ready');
    expect([status, text]).to.deep.equal([200, '{"status":"ready"}']);
  });

  it('answer HEAD without a body', async () => {
    const { status, text, headers } = await service.request('HEAD', '/health/live');
    expect([status, text, headers.get('content-length')]).to.deep.equal([200, '', '15']);
  });

  it('return their methods to anyone', async () => {
    const { status, headers } = await service.request('POST', '/health/live', { token: 'wrong' });
    expect([status, headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
  });

  it('are not ready before the workers are reconciled', async () => {
    service.fleet.reconciled = false;
    const { status, text } = await service.request('GET', '/health/ready');
    expect(status).to.equal(503);
    expect(JSON.parse(text)).to.deep.equal({
      status: 'unavailable',
      reason: 'The registered workers are not reconciled yet',
    });
  });

  // holds: shutdown.readiness
  it('are not ready, but alive, once the service shuts down', async () => {
    service.application.health.markStopping();
    expect((await service.request('GET', '/health/ready')).status).to.equal(503);
    expect((await service.request('GET', '/health/live')).status).to.equal(200);
  });

  it('are not ready while the store is away', async () => {
    const store = { check: () => Promise.reject(storeUnavailable(new Error('secret host'))) };
    const health = new Health(store, { reconciled: true });
    const other = await new HttpService({ replace: { health } }).start();
    try {
      const { status, text, headers } = await other.request('GET', '/health/ready');
      expect(status).to.equal(503);
      expect(JSON.parse(text)).to.deep.equal({
        status: 'unavailable',
        reason: 'The store is unavailable',
      });
      expect(headers.get('retry-after')).to.equal('1');
    } finally {
      await other.stop();
    }
  });
});
