import { expect } from 'chai';
import { EventStream } from '../../support/event-stream.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { HttpService } from './support/http-service.ts';
import { restrictedTokens } from './support/restricted-tokens.ts';

const ADMIN = 'admin';
const CUSTOMER = 'ada-8c1f';

describe('Erasing', () => {
  let service: HttpService;

  before(async () => {
    const knownTokens = restrictedTokens({
      admin: { rights: ['admin'], queues: null },
      operator: { rights: ['operate', 'data'], queues: ['mail-*', '!mail-vip'] },
      blind: { rights: ['operate'], queues: null },
      reader: { rights: ['read', 'data'], queues: null },
    });
    service = await new HttpService({ keptIn: 'disk', knownTokens }).start();
  });

  after(() => service.stop());

  const erase = (body: unknown, token = ADMIN) =>
    service.request('POST', '/erase', { body, token });

  async function erased(body: unknown, token = ADMIN): Promise<Record<string, unknown>> {
    const { status, text } = await erase(body, token);
    expect(status, text).to.equal(200);
    return JSON.parse(text) as Record<string, unknown>;
  }

  async function add(queue: string, data: unknown, opts: object = {}): Promise<void> {
    const body = [{ name: 'work', data, opts }];
    const { status, text } = await service.request('POST', `/queues/${queue}/jobs`, {
      body,
      token: ADMIN,
    });
    expect(status, text).to.equal(200);
  }

  const filter = { data: { 'customer.id': CUSTOMER } };
  const data = { customer: { id: CUSTOMER } };

  // holds: erase.scope
  it('answers what matched, what is done and what remains', async () => {
    for (const queue of ['mail-a', 'mail-b']) {
      await add(queue, data);
      await add(queue, { customer: { id: 17 } }, { delay: 60_000 });
    }
    const places = {
      jobs: 0,
      events: 0,
      remembered: 0,
      callbacks: 0,
      deliveries: 0,
      steps: 0,
      signals: 0,
    };
    expect(await erased({ filter, dryRun: true })).to.deep.equal({
      matched: 2,
      done: 0,
      remaining: 2,
      places,
    });
    const first = await erased({ filter, limit: 1 });
    expect(first).to.include({ matched: 2, done: 1, remaining: 1 });
    expect(first['places']).to.include({ jobs: 1 });
    expect(await erased({ filter })).to.include({ matched: 1, done: 1, remaining: 0 });
    expect(await erased({ filter })).to.deep.equal({ matched: 0, done: 0, remaining: 0, places });
  });

  // holds: erase.events
  it('leaves streams that resume whole, with a gap where an event is gone', async () => {
    const follow = (path: string) =>
      EventStream.open(service.url + path, { Authorization: `Bearer ${ADMIN}` });
    const paths = ['/queues/erased/events?', '/events?queues=erased&'];
    const streams = await Promise.all(paths.map(follow));
    for (const body of [data, null, null]) await add('erased', body);
    await service.settle('erased', await service.claim('erased'), {
      kind: 'completed',
      returnvalue: CUSTOMER,
    });
    const firsts = await Promise.all(streams.map((stream) => stream.take(8)));
    for (const stream of streams) stream.close();
    expect((await erased({ filter, queues: ['erased'] }))['places']).to.include({ events: 1 });
    expect(await erased({ filter: { ids: ['2'], queue: 'erased' } })).to.include({ done: 1 });
    for (const [index, path] of paths.entries()) {
      const stream = await follow(`${path}lastEventId=${firsts[index]![0]!.id}`);
      const after = await stream.take(7);
      stream.close();
      expect(after.map(({ event, data: { jobId } }) => [event, jobId])).to.deep.equal([
        ['waiting', '1'],
        ['gap', undefined],
        ['gap', undefined],
        ['added', '3'],
        ['waiting', '3'],
        ['active', '1'],
        ['completed', '1'],
      ]);
      expect(after.at(-1)?.data).not.to.have.property('returnvalue');
    }
  });

  // holds: erase.rights
  it('needs the rights to operate and to see data, and stays within the queues of the token', async () => {
    for (const token of ['blind', 'reader']) {
      expect((await erase({ filter }, token)).status).to.equal(403);
    }
    for (const queues of [['*'], ['mail-vip'], ['mail-a', 'news'], ['!mail-a']]) {
      const { status, text } = await erase({ filter, queues }, 'operator');
      expect([status, text], String(queues)).to.deep.equal([
        403,
        'This token may not use these queues',
      ]);
    }
    const ids = { ids: ['1'], queue: 'mail-vip' };
    expect((await erase({ filter: ids }, 'operator')).status).to.equal(403);
    await add('mail-vip', data);
    await add('mail-c', data);
    expect(await erased({ filter }, 'operator')).to.include({ matched: 1, done: 1, remaining: 0 });
    const own = { filter, queues: ['mail-c'] };
    expect(await erased(own, 'operator')).to.include({ matched: 0 });
    expect(await erased({ filter })).to.include({ matched: 1, done: 1 });
  });

  // holds: rights.order
  it('checks the token, the rights, the queues and then the order', async () => {
    const refusals = [
      ['wrong', 401, 'The token is not valid'],
      ['reader', 403, 'This token lacks the right operate'],
      ['blind', 403, 'This token lacks the right data'],
    ] as const;
    for (const [token, status, text] of refusals) {
      for (const body of ['{broken', {}, { filter: { queue: 'news' }, queues: ['*'], mode: 1 }]) {
        const refused = await erase(body, token);
        expect([refused.status, refused.text]).to.deep.equal([status, text]);
      }
    }
    const beyond = [
      [{ filter: { ids: [], queue: 'news' }, mode: 'x' }, 'This token may not use this queue'],
      [{ filter: {}, queues: ['mail-*'], mode: 'x' }, 'This token may not use these queues'],
    ] as const;
    for (const [body, text] of beyond) {
      const refused = await erase(body, 'operator');
      expect([refused.status, refused.text]).to.deep.equal([403, text]);
    }
    const own = { filter: { ids: [], queue: 'mail-a' }, queues: [17, 'mail-a'], mode: 'x' };
    for (const body of ['{broken', {}, own]) {
      expect((await erase(body, 'operator')).status).to.equal(400);
    }
  });

  // holds: erase.places
  it('leaves no reason of an erased job among the latest failures', async () => {
    await add('mail-f', data);
    const [queue, attempt] = [queueNamed('mail-f'), await service.claim('mail-f')];
    const ending = { kind: 'failed', reason: `HTTP 422: no ${CUSTOMER}` } as const;
    await service.settle(queue, attempt, ending);
    const ended = { kind: 'ended', queue, attempt, result: { ending }, duration: 20 };
    service.figures.observe({ kind: 'started', queue, attempt } as never);
    service.figures.observe(ended as never);
    await service.figures.flush(queue);
    const failures = async () => (await service.request('GET', '/failures', { token: ADMIN })).text;
    expect(await failures()).to.contain(CUSTOMER);
    expect(await erased({ filter })).to.include({ remaining: 0 });
    expect(await failures()).not.to.contain(CUSTOMER);
  });

  // holds: erase.audit
  it('names the fields of the filter in the audit and in the log, not their values', async () => {
    await add('mail-a', data);
    await erased({ filter });
    const { text } = await service.request('GET', '/audit?action=jobs.erase&length=1', {
      token: ADMIN,
    });
    const [entry] = (JSON.parse(text) as { entries: { detail: unknown }[] }).entries;
    expect(entry?.detail).to.deep.include({
      filter: ['customer.id'],
      mode: 'remove',
      matched: 1,
      done: 1,
      remaining: 0,
    });
    expect((await erase({ filter }, 'reader')).status).to.equal(403);
    const audit = await service.request('GET', '/audit?length=100', { token: ADMIN });
    expect(audit.text).not.to.include(CUSTOMER);
    expect(JSON.stringify(service.logger)).not.to.include(CUSTOMER);
  });

  // holds: erase.scheduler
  it('leaves the next job of a scheduler', async () => {
    const scheduler = { repeat: { every: 60_000 }, job: { name: 'nightly', data } };
    const saved = await service.request('PUT', '/queues/mail-s/schedulers/nightly', {
      body: scheduler,
      token: ADMIN,
    });
    expect(saved.status, saved.text).to.be.oneOf([200, 201]);
    expect(await erased({ filter })).to.include({ matched: 1, done: 0, remaining: 1 });
    await service.request('DELETE', '/queues/mail-s/schedulers/nightly', { token: ADMIN });
    expect(await erased({ filter })).to.include({ remaining: 0 });
  });

  for (const [body, field] of [
    [{}, 'filter'],
    [{ filter: {} }, 'filter'],
    [{ filter: { data: {} } }, 'filter.data'],
    [{ filter: { data: { a: {} } } }, 'filter.data'],
    [{ filter: { data: { a: 1 }, queue: 'mail' } }, 'filter.queue'],
    [{ filter: { data: { a: 1 }, ids: ['1'] } }, 'filter'],
    [{ filter: { ids: ['1'] } }, 'filter.queue'],
    [{ filter: { ids: [], queue: 'mail' } }, 'filter.ids'],
    [{ filter: { group: 1, queue: 'mail' } }, 'filter.group'],
    [{ filter: { group: 'a', queue: 'mail' }, queues: ['mail'] }, 'queues'],
    [{ filter, queues: [] }, 'queues'],
    [{ filter, mode: 'forget' }, 'mode'],
    [{ filter, states: ['gone'] }, 'states'],
    [{ filter, limit: 0 }, 'limit'],
    [{ filter, limit: 10_001 }, 'limit'],
    [{ filter, dryRun: 1 }, 'dryRun'],
  ] as const) {
    // holds: erase.input
    it(`refuses ${JSON.stringify(body)}`, async () => {
      const { status, text } = await erase(body);
      expect([status, text.startsWith(field)], text).to.deep.equal([400, true]);
    });
  }
});
