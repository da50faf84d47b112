import { expect } from 'chai';
import { OWN_ENTRIES } from '../../../src/application/audit/repeated-calls.ts';
import type { AuditEntry } from '../../../src/domain/audit/audit-entry.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';
import { HttpService } from './support/http-service.ts';
import { restrictedTokens } from './support/restricted-tokens.ts';
import { routesOf } from './support/routes-of.ts';

interface Page {
  readonly entries: readonly AuditEntry[];
  readonly cursor: string | null;
}

describe('The audit', () => {
  let service: HttpService;

  beforeEach(async () => {
    const knownTokens = restrictedTokens({
      reader: { rights: ['read'], queues: ['mail'] },
      auditor: { rights: ['audit'], queues: ['mail*'] },
    });
    service = await new HttpService({ knownTokens }).start();
  });
  afterEach(() => service.stop());

  const page = async (query = '', token?: string): Promise<Page> => {
    const { text } = await service.request('GET', `/audit${query}`, { ...(token && { token }) });
    return JSON.parse(text) as Page;
  };
  const actions = async (query?: string, token?: string): Promise<readonly string[]> =>
    (await page(query, token)).entries.map(({ action }) => action);

  // holds: audit.changes
  it('records who did what, from where, and how it ended', async () => {
    const headers = { 'X-Request-Id': 'by-hand' };
    await service.request('POST', '/queues/mail/jobs', { body: [{ name: 'a', data: 1 }] });
    await service.request('POST', '/queues/mail/drain', { headers });
    const [entry] = (await page()).entries;
    const { id, address, ...rest } = entry!;
    expect(id).to.be.a('string');
    expect(address).to.match(/^127\.0\.0\.1$|^::1$/);
    expect(rest).to.deep.equal({
      at: service.clock.now(),
      who: { id: 'api-token', name: 'api-token', via: 'token' },
      action: 'queue.drain',
      target: { queue: 'mail' },
      detail: { removed: 1 },
      outcome: 'ok',
      status: 200,
      requestId: 'by-hand',
    });
  });

  // holds: audit.changes
  it('has an action for every route that changes something', () => {
    const routes = routesOf(service.application);
    const changing = routes.filter(
      ({ method, access, path }) =>
        method !== 'GET' &&
        (['operate', 'configure', 'tokens', 'admin'].includes(access) ||
          ['/sessions', '/sign-out'].some((each) => path.startsWith(each))),
    );
    expect(changing).to.have.length.above(30);
    for (const { action, id } of changing) {
      expect(action, id).to.match(/^[a-z]+\.[a-z-]+$/);
    }
    const others = routes.filter((route) => !changing.includes(route));
    expect(others.filter(({ action }) => action !== undefined)).to.deep.equal([]);
  });

  // holds: audit.changes
  it('records before a change that it has started', async () => {
    const seen: unknown[] = [];
    const { queues } = service.application;
    const pause = queues.pause.bind(queues);
    queues.pause = async (...given) => {
      seen.push((await page()).entries[0]?.outcome);
      await pause(...given);
    };
    await service.request('POST', '/queues/mail/pause');
    seen.push((await page()).entries[0]?.outcome);
    expect(seen).to.deep.equal(['started', 'ok']);
  });

  // holds: audit.exempt
  it('records no adds, claims, reads, dry runs or mistakes', async () => {
    await service.request('POST', '/queues/mail/jobs', { body: [{ name: 'a', data: 1 }] });
    await service.request('POST', '/queues/mail/claim');
    await service.request('POST', '/tickets', { body: {} });
    await service.request('GET', '/queues');
    await service.request('POST', '/queues/mail/clean', { body: { all: true, dryRun: true } });
    await service.request('PUT', '/queues/mail/schedulers/s?dryRun=true', {
      body: { every: 1000, job: { name: 'a' } },
    });
    await service.request('POST', '/queues/mail/hold', { body: { for: -1 } });
    await service.request('POST', '/tokens', { body: { name: 'a', rights: ['data'] } });
    await service.request('POST', '/queues/mail/pause', { token: 'unknown' });
    expect((await page()).entries).to.deep.equal([]);
  });

  // holds: audit.refused
  it('records every refusal, and every failure', async () => {
    await service.request('GET', '/queues/other', { token: 'reader' });
    await service.request('POST', '/queues/mail/pause', { token: 'reader' });
    await service.request('POST', '/queues/mail/jobs/17/promote');
    await service.request('DELETE', '/tokens/environment:1');
    const entries = (await page()).entries.toReversed();
    expect(
      entries.map(({ who, action, outcome, status }) => [who.name, action, outcome, status]),
    ).to.deep.equal([
      ['reader', 'request.readQueue', 'refused', 403],
      ['reader', 'queue.pause', 'refused', 403],
      ['api-token', 'job.promote', 'failed', 404],
      ['api-token', 'token.remove', 'failed', 404],
    ]);
    expect(entries[2]?.target).to.deep.equal({ queue: 'mail', job: '17' });
  });

  // holds: audit.list
  it('names the token that was created, and no session as a token', async () => {
    const body = { name: 'shop', rights: ['read'] };
    const { text } = await service.request('POST', '/tokens', { body });
    const { id } = JSON.parse(text) as { id: string };
    await service.request('DELETE', '/sessions/none');
    const targets = (await page()).entries.map(({ action, target }) => [action, target]);
    expect(targets).to.deep.equal([
      ['session.delete', {}],
      ['token.create', { token: id }],
    ]);
  });

  // holds: audit.list
  it('says which limit, topic and subscription a call was about, also when it fails', async () => {
    await service.request('PUT', '/limits/api', { body: { concurrency: 1 } });
    for (const path of ['/limits/none', '/topics/orders', '/topics/orders/subscriptions/none'])
      await service.request('DELETE', path);
    const { entries } = await page();
    expect(entries.map(({ action, target, outcome }) => [action, target, outcome])).to.deep.equal([
      ['subscription.remove', { topic: 'orders', subscription: 'none' }, 'failed'],
      ['topic.remove', { topic: 'orders' }, 'failed'],
      ['limit.remove', { limit: 'none' }, 'failed'],
      ['limit.save', { limit: 'api' }, 'ok'],
    ]);
  });

  // holds: audit.who
  it('tells tokens with the same name apart', async () => {
    const body = { name: 'api-token', rights: ['operate'] };
    const { text } = await service.request('POST', '/tokens', { body });
    const { id, token } = JSON.parse(text) as { id: string; token: string };
    await service.request('POST', '/queues/mail/pause', { token });
    await service.request('POST', '/queues/mail/resume');
    const [resumed, paused] = (await page('?action=queue.*')).entries;
    expect(paused?.who).to.deep.equal({ id, name: 'api-token', via: 'token' });
    expect(resumed?.who).to.deep.equal({ id: 'api-token', name: 'api-token', via: 'token' });
    expect(await actions(`?who=${id}`)).to.deep.equal(['queue.pause']);
    expect(await actions('?who=api-token&action=queue.*')).to.have.lengthOf(2);
  });

  const repeat = async (times: number, send: () => Promise<unknown>): Promise<void> => {
    for (let sent = 0; sent < times; sent += 50) {
      await Promise.all(Array.from({ length: Math.min(50, times - sent) }, send));
    }
  };
  const endSession = () => service.request('DELETE', '/sessions/none', { token: 'reader' });
  for (const [outcome, status, call] of [
    ['refused', 403, () => service.request('GET', '/queues/other', { token: 'reader' })],
    ['failed', 404, endSession],
    ['ok', 204, () => service.request('POST', '/sessions', { token: 'reader' })],
  ] as const) {
    // holds: audit.flood
    it(`is not filled by calls that any token can repeat: ${outcome}`, async () => {
      await repeat(OWN_ENTRIES, call);
      await service.request('POST', '/queues/mail/pause');
      await repeat(500, call);
      await service.clock.advance(1000);
      expect(await actions('?action=queue.*')).to.deep.equal(['queue.pause']);
      const { entries } = await page('?action=request.repeated');
      expect(entries).to.have.lengthOf(1);
      const who = { id: 'reader', name: 'reader', via: 'token' };
      const detail = { [outcome]: 500 };
      expect(entries[0]).to.deep.include({ who, target: {}, outcome, status, detail });
      const kept = await service.auditStore.latest(undefined, 10_000);
      expect(kept).to.have.lengthOf(OWN_ENTRIES + 2);
    });
  }

  // holds: audit.flood
  it('keeps an entry of its own for each call that a fault of the service ended', async () => {
    service.application.sessions.end = () => Promise.reject(new Error('fault'));
    await repeat(OWN_ENTRIES + 100, endSession);
    const kept = await service.auditStore.latest(undefined, 10_000);
    expect(kept).to.have.lengthOf(OWN_ENTRIES + 100);
  });

  // holds: audit.detail
  it('records the names of fields, filters and numbers, but no values', async () => {
    await service.request('POST', '/workers', {
      body: {
        queue: 'mail',
        endpoint: {
          url: 'http://localhost:1',
          method: 'post',
          headers: { authorization: 'secret-1' },
        },
      },
    });
    const body = { reason: 'secret-2' };
    await service.request('POST', '/queues/mail/jobs/17/cancel', { body });
    const filter = { name: 'send', reason: 'timeout' };
    await service.request('POST', '/queues/mail/retry', { body: { filter } });
    const { entries } = await page();
    expect(entries.map(({ action }) => action)).to.deep.equal([
      'jobs.retry',
      'job.cancel',
      'worker.register',
    ]);
    const [retried, one, registered] = entries;
    expect(retried?.detail).to.deep.equal({
      fields: ['filter'],
      filter,
      matched: 0,
      done: 0,
      remaining: 0,
    });
    expect(one?.detail).to.deep.equal({ fields: ['reason'] });
    expect(registered?.target).to.deep.equal({ queue: 'mail', worker: 'mail' });
    expect(registered?.detail).to.deep.equal({
      fields: ['queue', 'endpoint'],
      origin: 'http://localhost:1',
    });
    expect(JSON.stringify(entries)).not.to.match(/secret-\d/);
  });

  // holds: audit.origin
  it('has the origin of the URL of hooks and subscriptions, and not the rest of the URL', async () => {
    const url = 'https://calls.example.com/secret-path?key=1';
    const policy = { endpoints: { origins: ['https://calls.example.com'] } };
    await service.request('PUT', '/queues/mail/policy', { body: policy });
    await service.request('PUT', '/hooks/a', { body: { url, events: ['job.failed'] } });
    for (const body of [{ endpoint: { url } }, { opts: { endpoint: { url } } }]) {
      const subscription = { queue: 'mail', ...body, filter: { name: ['secret-name'] } };
      await service.request('PUT', '/topics/orders/subscriptions/a', { body: subscription });
    }
    const { entries } = await page();
    const origins = entries.map(({ action, detail }) => [action, detail['origin']]);
    const origin = 'https://calls.example.com';
    expect(origins).to.deep.equal([
      ['subscription.save', origin],
      ['subscription.save', origin],
      ['hook.save', origin],
      ['policy.save', undefined],
    ]);
    expect(JSON.stringify(entries)).not.to.include('secret-');
  });

  // holds: audit.who
  it('is listed by the id of a token for all that it did, under every name, in sessions and refused', async () => {
    const made = await service.request('POST', '/tokens', {
      body: { name: 'shop', rights: ['operate'] },
    });
    const { id, token } = JSON.parse(made.text) as { id: string; token: string };
    await service.request('POST', '/queues/mail/pause', { token });
    await service.request('PATCH', `/tokens/${id}`, { body: { name: 'renamed' } });
    await service.request('POST', '/queues/mail/resume', { token });
    await service.request('DELETE', '/hooks/none', { token });
    const rotated = await service.request('POST', `/tokens/${id}/rotate`, { body: {} });
    const { token: second } = JSON.parse(rotated.text) as { token: string };
    await service.request('POST', '/queues/mail/pause', { token: second });
    await service.request('POST', '/sessions', { token: second });
    const all = ['session.create', 'queue.pause', 'hook.remove', 'queue.resume', 'queue.pause'];
    expect(await actions(`?who=${id}`)).to.deep.equal(all);
    expect(await actions('?who=shop')).to.deep.equal(['queue.pause']);
  });

  // holds: audit.list
  it('is listed by caller, action, queue, job, time and outcome', async () => {
    for (const queue of ['mail', 'mail-vip', 'news']) {
      await service.request('POST', `/queues/${queue}/pause`);
      await service.clock.advance(1000);
    }
    await service.request('POST', '/queues/mail/jobs/17/promote');
    await service.request('POST', '/queues/mail/resume', { token: 'reader' });
    const now = service.clock.now();
    expect(await actions('?who=reader')).to.deep.equal(['queue.resume']);
    expect(await actions('?action=queue.p*')).to.have.lengthOf(3);
    expect(await actions('?queue=mail')).to.deep.equal([
      'queue.resume',
      'job.promote',
      'queue.pause',
    ]);
    expect(await actions('?job=17')).to.deep.equal(['job.promote']);
    expect(await actions(`?from=${now}`)).to.deep.equal(['queue.resume', 'job.promote']);
    expect(await actions(`?to=${now - 2000}`)).to.have.lengthOf(2);
    expect(await actions('?outcome=refused')).to.deep.equal(['queue.resume']);
    expect(await actions('', 'auditor')).to.have.lengthOf(4);
    let { entries, cursor } = await page('?length=2');
    const paged = [...entries];
    while (cursor !== null) {
      ({ entries, cursor } = await page(`?length=2&cursor=${cursor}`));
      paged.push(...entries);
    }
    expect(paged).to.deep.equal((await page()).entries);
  });

  it('has no page for a cursor that no answer contained', async () => {
    for (const cursor of ['bad', '0', '00000000000001-', '1764000000000-000001-abc%0A']) {
      const { status, text } = await service.request('GET', `/audit?cursor=${cursor}`);
      expect([status, text]).to.deep.equal([400, 'cursor must be a cursor returned by GET /audit']);
    }
  });

  // holds: audit.outage
  it('is written first: without it, nothing changes', async () => {
    service.auditStore.save = () => Promise.reject(storeUnavailable(new Error('away')));
    await service.request('POST', '/queues/mail/jobs', { body: [{ name: 'a', data: 1 }] });
    const { status } = await service.request('POST', '/queues/mail/pause');
    expect(status).to.equal(503);
    const { text } = await service.request('GET', '/queues/mail');
    expect(JSON.parse(text)).to.include({ paused: false });
    const refused = await service.request('POST', '/queues/mail/pause', { token: 'reader' });
    expect(refused.status).to.equal(403);
  });

  // holds: audit.log
  it('is in the log, one line per entry', async () => {
    await service.request('POST', '/queues/mail/pause');
    await service.request('POST', '/queues/mail/resume', { token: 'reader' });
    await service.request('POST', '/queues/mail/jobs/17/promote');
    const lines = service.logger.lines.filter(({ fields }) => fields['audit'] === true);
    expect(lines.map(({ fields }) => [fields['who'], fields['action']])).to.deep.equal([
      ['api-token', 'queue.pause'],
      ['reader', 'queue.resume'],
      ['api-token', 'job.promote'],
    ]);
  });
});
