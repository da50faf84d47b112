import { expect } from 'chai';
import type { ReadJobJson } from '../../../src/domain/jobs/job-json.ts';
import { HttpService, TOKEN } from './support/http-service.ts';
import { restrictedTokens } from './support/restricted-tokens.ts';

describe('Dead letter queues', () => {
  let service: HttpService;

  before(async () => {
    const knownTokens = restrictedTokens({
      mail: { rights: ['read', 'operate', 'add'], queues: ['mail', 'dead', 'first'] },
      other: { rights: ['operate', 'add'], queues: ['dead', 'elsewhere'] },
      operator: { rights: ['operate'], queues: null },
      adder: { rights: ['add'], queues: null },
    });
    service = await new HttpService({ knownTokens, keptIn: 'disk' }).start();
  });
  after(() => service.stop());
  afterEach(async () => {
    await call('DELETE', '/policy');
    for (const queue of ['mail', 'sms', 'dead', 'first', 'elsewhere', 'fifo']) {
      await call('DELETE', `/queues/${queue}?confirm=${queue}&force=true`);
    }
  });

  const call = (method: string, path: string, body?: unknown, token = TOKEN) =>
    service.request(method, path, { body, token });
  const read = async <Answer>(path: string, token = TOKEN): Promise<Answer> =>
    JSON.parse((await call('GET', path, undefined, token)).text) as Answer;
  const redrive = async (body: unknown, token = TOKEN): Promise<[number, unknown]> => {
    const { status, text } = await call('POST', '/queues/dead/redrive', body, token);
    return [status, status === 200 ? JSON.parse(text) : text];
  };

  const toDead = { queue: 'dead', as: 'job', on: ['failed'] } as const;

  /** Has a job fail of which a letter is left. @returns its id. */
  async function fail(queue: string, opts: object = {}): Promise<string> {
    const body = [{ name: 'work', data: { n: 1 }, opts: { callback: toDead, ...opts } }];
    const { text } = await call('POST', `/queues/${queue}/jobs`, body);
    const [{ id }] = JSON.parse(text) as [{ id: string }];
    await service.settle(queue, await service.claim(queue), { kind: 'failed', reason: 'it broke' });
    return id;
  }

  interface Shown {
    readonly deadLetters: { readonly from: readonly string[] } | null;
    readonly blocked: object | null;
  }
  const shown = (queue: string, token = TOKEN): Promise<Shown> => read(`/queues/${queue}`, token);

  // holds: dead-letters.marked
  it('are marked with the queues whose policies send failed jobs there', async () => {
    await call('PUT', '/queues/mail/policy', { callback: toDead });
    await call('PUT', '/queues/sms/policy', {
      defaults: { callback: { queue: 'dead', as: 'job' } },
    });
    await call('PUT', '/queues/fifo/policy', {
      messages: { redrive: { maxReceives: 3, queue: 'dead' } },
    });
    // Events, and what only completed jobs cause, are no dead letters.
    await call('PUT', '/queues/first/policy', { callback: { queue: 'dead' } });
    await call('PUT', '/queues/elsewhere/policy', { callback: { ...toDead, on: ['completed'] } });
    await fail('mail');
    expect((await shown('dead')).deadLetters).to.deep.equal({ from: ['fifo', 'mail', 'sms'] });
    expect((await shown('dead', 'mail')).deadLetters).to.deep.equal({ from: ['mail'] });
    expect((await shown('mail')).deadLetters).to.equal(null);
    for (const queue of ['mail', 'sms', 'fifo']) await call('DELETE', `/queues/${queue}/policy`);
    expect((await shown('dead')).deadLetters).to.equal(null);
  });

  // holds: dead-letters.marked
  it('are marked by the policy of all queues, too, except for queues with another policy', async () => {
    await call('PUT', '/queues/sms/policy', { callback: { queue: 'first' } });
    await fail('mail');
    await call('PUT', '/policy', { callback: toDead });
    expect((await shown('dead')).deadLetters).to.deep.equal({ from: ['mail'] });
  });

  // holds: dead-letters.quiet
  it('need no worker, neither in their own view nor in the list', async () => {
    await fail('mail');
    expect((await shown('dead')).blocked).to.include({ reason: 'no-worker' });
    await call('PUT', '/queues/mail/policy', { callback: toDead });
    expect((await shown('dead')).blocked).to.equal(null);
    const list = await read<{ queues: { name: string; blocked: unknown; attention: unknown }[] }>(
      '/queues?view=figures&name=dead',
    );
    expect(list.queues[0]).to.include({ name: 'dead', blocked: null, attention: null });
    await call('POST', '/queues/dead/pause');
    expect((await shown('dead')).blocked).to.include({ reason: 'paused' });
    const [{ id }] = (await read<{ jobs: [{ id: string }] }>('/queues/dead/jobs')).jobs;
    await call('POST', '/queues/dead/resume');
    expect(await read(`/queues/dead/jobs/${id}/blocked`)).to.not.deep.include({
      reason: 'no-worker',
    });
  });

  // holds: dead-letters.origin
  it('show of each letter what it is a copy of, and where that is now', async () => {
    const id = await fail('mail', { attempts: 1, jobId: 'order', ttl: 60_000 });
    const origin = { queue: 'mail', id, failedReason: 'it broke', state: 'failed' };
    const [letter] = (await read<{ jobs: [ReadJobJson] }>('/queues/dead/jobs')).jobs;
    const { jobs: found } = await read<{ jobs: [ReadJobJson] }>(
      '/queues/dead/jobs/search?name=work',
    );
    const one = await read<ReadJobJson>(`/queues/dead/jobs/${letter.id}`);
    for (const each of [letter, found[0], one]) {
      expect(each.origin).to.deep.equal(origin);
      expect(each.opts).to.deep.equal({
        attempts: 0,
        delay: 0,
        origin: { queue: 'mail', id, failedReason: 'it broke' },
      });
      expect(each.originOpts).to.deep.equal({
        attempts: 1,
        delay: 0,
        jobId: 'order',
        ttl: 60_000,
        callback: toDead,
      });
    }
    await call('POST', `/queues/mail/jobs/${id}/retry`);
    const state = async (token?: string): Promise<unknown> =>
      (await read<ReadJobJson>(`/queues/dead/jobs/${letter.id}`, token)).origin?.state;
    expect(await state()).to.equal('waiting');
    expect(await state('mail')).to.equal('waiting');
    await call('DELETE', `/queues/mail/jobs/${id}`);
    expect(await state()).to.equal(null);
  });

  // holds: dead-letters.origin
  it('hide from a token where a job of a queue is that it may not use', async () => {
    await fail('sms');
    const [letter] = (await read<{ jobs: [ReadJobJson] }>('/queues/dead/jobs', 'mail')).jobs;
    expect(letter.origin).to.deep.include({ queue: 'sms', state: null });
  });

  // holds: dead-letters.redrive-rights
  it('need the right operate there, and add where letters go', async () => {
    await fail('mail');
    await fail('sms');
    const all = { all: true };
    expect(await redrive(all, 'operator')).to.deep.equal([
      403,
      'This token may not add jobs where these letters go',
    ]);
    expect(await redrive(all, 'adder')).to.deep.equal([403, 'This token lacks the right operate']);
    expect(await redrive(all, 'other')).to.deep.equal([
      403,
      'This token may not add jobs where these letters go',
    ]);
    expect(await redrive({ ...all, to: 'sms' }, 'other')).to.deep.equal([
      403,
      'This token may not use this queue',
    ]);
    expect(await redrive({ ...all, dryRun: true }, 'mail')).to.deep.equal([
      200,
      { matched: 2, done: 0, remaining: 1, skipped: 1, samples: ['1'] },
    ]);
    expect(await redrive(all, 'mail')).to.deep.equal([
      200,
      { matched: 2, done: 1, remaining: 0, skipped: 1 },
    ]);
    expect(await redrive({ ...all, to: 'elsewhere' }, 'other')).to.deep.equal([
      200,
      { matched: 1, done: 1, remaining: 0 },
    ]);
    const counts = async (queue: string): Promise<unknown> =>
      (await read<{ counts: { waiting: number } }>(`/queues/${queue}`)).counts.waiting;
    expect(await counts('mail')).to.equal(1);
    expect(await counts('elsewhere')).to.equal(1);
    const { entries } = await read<{ entries: { detail: object; status: number }[] }>(
      '/audit?action=jobs.redrive',
    );
    expect(entries.map(({ status }) => status)).to.deep.equal([200, 200, 403, 403, 403, 403]);
    expect(entries[0]?.detail).to.deep.include({ to: 'elsewhere', done: 1 });
  });

  for (const [body, mistake] of [
    [{}, 'filter or all is required'],
    [{ all: true, filter: { name: 'a' } }, 'all must not be given with filter'],
    [{ all: true, to: 'dead' }, 'to must be another queue'],
    [{ all: true, to: 'a:b' }, 'to must be a string of'],
    [{ all: true, limit: 0 }, 'limit must be an integer from 1 to 10000'],
    [{ all: true, rate: 5 }, 'rate must be an object of max and duration'],
    [{ all: true, rate: { max: 0, duration: 1 } }, 'rate.max must be'],
    [{ all: true, rate: { max: 1, duration: 60_001 } }, 'rate must allow a letter in 60000 ms'],
    [{ all: true, olderThan: 1 }, 'olderThan'],
  ] as const) {
    // holds: dead-letters.redrive
    it(`refuse a redrive with ${JSON.stringify(body)}`, async () => {
      const [status, text] = await redrive(body);
      expect(status).to.equal(400);
      expect(text).to.include(mistake);
    });
  }

  // holds: dead-letters.redrive
  it('answer empty when there are none', async () => {
    const nothing = { matched: 0, done: 0, remaining: 0 };
    expect(await redrive({ all: true })).to.deep.equal([200, nothing]);
    expect((await call('GET', '/queues/dead')).status).to.equal(404);
  });
});
