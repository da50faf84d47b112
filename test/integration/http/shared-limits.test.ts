import { expect } from 'chai';
import { HttpService, TOKEN } from './support/http-service.ts';
import { restrictedTokens } from './support/restricted-tokens.ts';

const MINUTE = 60_000;

describe('Limits that queues share', () => {
  let service: HttpService;

  beforeEach(async () => {
    const knownTokens = restrictedTokens({
      reader: { rights: ['read'], queues: ['mail'] },
      mailer: { rights: ['configure', 'read'], queues: ['mail'] },
    });
    service = await new HttpService({ knownTokens }).start();
  });

  afterEach(() => service.stop());

  async function call(method: string, path: string, body?: unknown, token = TOKEN) {
    const given = body === undefined ? {} : { body };
    const { status, text } = await service.request(method, path, { ...given, token });
    try {
      return { status, body: JSON.parse(text) as unknown };
    } catch {
      return { status, body: text };
    }
  }

  const claim = async (queue: string, count = 1): Promise<readonly Claimed[]> =>
    (await call('POST', `/queues/${queue}/jobs/claim`, { count })).body as readonly Claimed[];

  interface Claimed {
    readonly job: { readonly id: string };
    readonly token: string;
  }

  const add = (queue: string, count: number): Promise<unknown> =>
    call(
      'POST',
      `/queues/${queue}/jobs`,
      Array.from({ length: count }, () => ({ name: 'call', data: 1 })),
    );

  const refused = (error: string): object => ({ status: 400, body: error });

  // holds: limits.stored
  it('are stored, listed, read and removed', async () => {
    expect(await call('GET', '/limits')).to.deep.equal({
      status: 200,
      body: { total: 0, limits: [] },
    });
    const openai = {
      name: 'openai',
      concurrency: 20,
      limiter: null,
      running: 0,
      startsLeft: null,
    };
    expect(await call('PUT', '/limits/openai', { concurrency: 20 })).to.deep.equal({
      status: 200,
      body: openai,
    });
    const limiter = { max: 100, duration: MINUTE };
    const tokens = { ...openai, name: 'a-tokens', concurrency: null, limiter, startsLeft: 100 };
    const dry = await call('PUT', '/limits/a-tokens?dryRun=true', { limiter });
    expect(dry.body).to.deep.equal(tokens);
    expect((await call('GET', '/limits/a-tokens')).status).to.equal(404);
    expect((await call('PUT', '/limits/a-tokens', { limiter })).body).to.deep.equal(tokens);
    expect((await call('GET', '/limits')).body).to.deep.equal({
      total: 2,
      limits: [tokens, openai],
    });
    expect((await call('GET', '/limits/openai')).body).to.deep.equal(openai);
    expect(await call('DELETE', '/limits/openai')).to.deep.equal({ status: 200, body: 'OK' });
    for (const method of ['GET', 'DELETE']) {
      expect(await call(method, '/limits/openai')).to.deep.equal({
        status: 404,
        body: 'Limit not found',
      });
    }
  });

  // holds: limits.stored
  it('refuse what is no limit, and callers without the right for all queues', async () => {
    for (const body of [
      { concurrency: 0 },
      { concurrency: 100_001 },
      { limiter: { max: 1 } },
      { concurrency: 1, other: 1 },
    ]) {
      expect((await call('PUT', '/limits/openai', body)).status).to.equal(400);
    }
    const first = await call('PUT', '/limits/openai', {});
    expect(first).to.deep.equal(refused('concurrency is required without limiter'));
    expect((await call('PUT', '/limits/a%20b', { concurrency: 1 })).status).to.equal(400);
    await call('PUT', '/limits/openai', { concurrency: 1 });
    expect((await call('GET', '/limits', undefined, 'reader')).status).to.equal(200);
    for (const token of ['reader', 'mailer']) {
      expect((await call('PUT', '/limits/openai', { concurrency: 9 }, token)).status).to.equal(403);
      expect((await call('DELETE', '/limits/openai', undefined, token)).status).to.equal(403);
    }
  });

  // holds: limits.policies
  it('are named by policies, which they outlive', async () => {
    await call('PUT', '/limits/openai', { concurrency: 1 });
    const policy = { limits: ['openai', 'other'] };
    const unknown = refused('limits[1] other does not exist');
    expect(await call('PUT', '/queues/mail/policy', policy)).to.deep.equal(unknown);
    expect(await call('PUT', '/policy?dryRun=true', policy)).to.deep.equal(unknown);
    expect((await call('PUT', '/policy', { limits: ['openai', 'openai'] })).status).to.equal(400);
    const five = ['openai', 'b', 'c', 'd', 'e'];
    expect((await call('PUT', '/policy', { limits: five })).status).to.equal(400);
    const saved = await call('PUT', '/queues/mail/policy', { limits: ['openai'] });
    expect(saved).to.deep.equal({ status: 200, body: { limits: ['openai'] } });
    expect((await call('DELETE', '/limits/openai')).status).to.equal(409);
    await call('DELETE', '/queues/mail/policy');
    expect((await call('DELETE', '/limits/openai')).status).to.equal(200);
  });

  // holds: limits.shared, limits.blocked
  it('bound queues together, which say so at once', async () => {
    await call('PUT', '/limits/openai', { concurrency: 3 });
    await call('PUT', '/policy', { limits: ['openai'] });
    await add('mail', 3);
    await add('chat', 3);
    const claimed = await claim('mail', 2);
    expect(claimed).to.have.lengthOf(2);
    expect(await claim('chat', 3)).to.have.lengthOf(1);
    expect(await claim('mail')).to.have.lengthOf(0);
    const blocked = { reason: 'limit', detail: 'openai: 3 of 3 run, 2 of them of mail' };
    expect((await call('GET', '/queues/mail')).body).to.deep.include({ blocked });
    expect((await call('GET', '/queues/mail/jobs/3/blocked')).body).to.deep.equal({ blocked });
    expect((await call('GET', '/queues/chat')).body).to.have.nested.property(
      'blocked.detail',
      'openai: 3 of 3 run, 1 of them of chat',
    );
    expect((await call('GET', '/limits/openai')).body).to.deep.include({ running: 3 });
    expect((await call('GET', '/limits/openai/queues')).body).to.deep.equal({
      queues: [
        { queue: 'chat', running: 1, waits: true },
        { queue: 'mail', running: 2, waits: true },
      ],
    });
    const own = await call('GET', '/limits/openai/queues', undefined, 'reader');
    expect(own.body).to.deep.equal({ queues: [{ queue: 'mail', running: 2, waits: true }] });
    const { job, token } = claimed[0]!;
    const done = await call('POST', `/queues/mail/jobs/${job.id}/complete`, null, token);
    expect(done.status).to.equal(200);
    expect((await call('GET', '/queues/mail')).body).to.deep.include({ blocked: null });
    expect(await claim('chat')).to.have.lengthOf(1);
  });

  // holds: limits.blocked
  it('tell how many starts a limiter counted, and until when', async () => {
    const limiter = { max: 2, duration: MINUTE };
    await call('PUT', '/limits/openai', { limiter });
    await call('PUT', '/limits/wide', { concurrency: 100 });
    await call('PUT', '/policy', { limits: ['openai'] });
    await call('PUT', '/queues/mail/policy', { limits: ['wide'] });
    await add('mail', 3);
    expect(await claim('mail', 3)).to.have.lengthOf(2);
    const blocked = {
      reason: 'limit',
      until: service.clock.now() + MINUTE + 50,
      detail: 'openai: 2 of 2 starts in 60000 ms',
    };
    expect((await call('GET', '/queues/mail')).body).to.deep.include({ blocked });
    expect((await call('GET', '/limits/openai')).body).to.include({ running: 2, startsLeft: 0 });
    expect((await call('GET', '/limits/wide')).body).to.include({ running: 2, startsLeft: null });
    await call('PUT', '/limits/openai', { limiter: { max: 3, duration: MINUTE } });
    expect((await call('GET', '/limits/openai')).body).to.include({ startsLeft: 1 });
    expect(await claim('mail')).to.have.lengthOf(1);
  });

  // holds: limits.stored
  it('are at most a thousand', async () => {
    await Promise.all(
      Array.from({ length: 1000 }, (_, number) => {
        return call('PUT', `/limits/limit-${number}`, { concurrency: 1 });
      }),
    );
    expect(await call('PUT', '/limits/one-more', { concurrency: 1 })).to.deep.equal({
      status: 409,
      body: 'There are 1000 limits',
    });
    expect((await call('PUT', '/limits/limit-7', { concurrency: 2 })).status).to.equal(200);
  });

  // holds: limits.audited
  it('are on record in the audit', async () => {
    await call('PUT', '/limits/openai', { concurrency: 1 });
    await call('DELETE', '/limits/openai');
    const { body } = await call('GET', '/audit');
    const { entries } = body as { entries: readonly { action: string; detail: object }[] };
    expect(entries.map(({ action }) => action)).to.deep.equal(['limit.remove', 'limit.save']);
    expect(entries[0]).to.have.nested.property('detail.limit', 'openai');
  });
});
