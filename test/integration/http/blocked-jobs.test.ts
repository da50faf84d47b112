import { expect } from 'chai';
import type { AttemptEnding } from '../../../src/domain/attempts/ending.ts';
import { HttpService, TOKEN } from './support/http-service.ts';
import { restrictedTokens } from './support/restricted-tokens.ts';

const HOUR = 3_600_000;
const FAILED: AttemptEnding = { kind: 'failed', reason: 'it broke' };
const COMPLETED: AttemptEnding = { kind: 'completed', returnvalue: null };

interface Reason {
  readonly reason: string;
  readonly detail: string;
  readonly until?: number;
  readonly queue?: string;
  readonly id?: string;
}

describe('The reason why a job does not start', () => {
  let service: HttpService;

  beforeEach(async () => {
    const knownTokens = restrictedTokens({
      reports: { rights: ['read'], queues: ['reports'] },
      all: { rights: ['read'], queues: null },
    });
    service = await new HttpService({ knownTokens }).start();
  });

  afterEach(() => service.stop());

  async function call<Answer = unknown>(
    method: string,
    path: string,
    body?: unknown,
    token = TOKEN,
  ): Promise<Answer> {
    const answer = await service.request(method, path, {
      ...(body !== undefined && { body }),
      token,
    });
    expect(answer.status, answer.text).to.equal(200);
    try {
      return JSON.parse(answer.text) as Answer;
    } catch {
      return answer.text as Answer;
    }
  }

  async function add(queue: string, opts: object = {}): Promise<string> {
    const body = [{ name: 'work', data: 1, opts }];
    const [job] = await call<{ id: string }[]>('POST', `/queues/${queue}/jobs`, body);
    return job!.id;
  }

  const register = (queue: string): Promise<unknown> =>
    call('POST', '/workers', { queue, endpoint: { url: 'http://localhost:9/', method: 'post' } });

  const read = async (queue: string, id: string, token?: string): Promise<Reason | null> => {
    const path = `/queues/${queue}/jobs/${encodeURIComponent(id)}/blocked`;
    return (await call<{ blocked: Reason | null }>('GET', path, undefined, token)).blocked;
  };

  const queueReason = async (queue: string, token?: string): Promise<Reason | null> =>
    (await call<{ blocked: Reason | null }>('GET', `/queues/${queue}`, undefined, token)).blocked;

  /** A thing that this test stopped just now. */
  const stopped = (thing: string, how = 'is paused') => {
    const at = service.clock.now();
    const since = `${new Date(at).toISOString().slice(0, 19)}Z`;
    const stop = { by: TOKEN, at, reason: null };
    return { detail: `${thing} ${how} by ${TOKEN} since ${since}`, stop };
  };

  const end = async (queue: string, ending: AttemptEnding): Promise<void> =>
    service.settle(queue, await service.claim(queue), ending);

  /** A parent of a child, which is a parent too. @returns the parent. */
  async function addFlow(): Promise<{ id: string }> {
    const part = { queue: 'parts', name: 'part', data: 1, opts: { jobId: 'part' } };
    const chapter = { queue: 'chapters', name: 'chapter', data: 1, children: [part] };
    const report = { queue: 'reports', name: 'report', data: 1, children: [chapter] };
    return call('POST', '/flows', report);
  }

  // holds: sight.blocked-job
  it('is that of its queue', async () => {
    const id = await add('mail');
    expect(await read('mail', id)).to.include({ reason: 'no-worker' });
    await call('POST', '/queues/mail/hold', { for: HOUR });
    const held = await read('mail', id);
    expect(held).to.include({ reason: 'held', until: service.clock.now() + HOUR });
    await call('POST', '/queues/mail/pause');
    expect(await read('mail', id)).to.deep.equal({ reason: 'paused', ...stopped('The queue') });
  });

  // holds: sight.blocked-job
  it('is null for a job that starts in its turn, runs or has ended', async () => {
    await register('mail');
    const [first, second] = [await add('mail'), await add('mail')];
    const attempt = await service.claim('mail');
    expect(await read('mail', second)).to.equal(null);
    expect(await read('mail', first)).to.equal(null);
    await service.settle('mail', attempt, COMPLETED);
    expect(await read('mail', first)).to.equal(null);
    const missing = await service.request('GET', '/queues/mail/jobs/9/blocked');
    expect(missing.status).to.equal(404);
  });

  // holds: sight.blocked-job
  it('is its delay, unless something lasts longer', async () => {
    await register('mail');
    const id = await add('mail', { delay: HOUR });
    const due = service.clock.now() + HOUR;
    const delayed = {
      reason: 'delayed',
      until: due,
      detail: 'The job is delayed and due in 1 h',
    };
    expect(await read('mail', id)).to.deep.equal(delayed);
    await call('POST', '/queues/mail/hold', { for: 1000 });
    expect(await read('mail', id)).to.deep.equal(delayed);
    await call('POST', '/queues/mail/hold', { for: 2 * HOUR });
    expect(await read('mail', id)).to.include({ reason: 'held' });
  });

  // holds: sight.blocked-job
  it('names the backoff of a job, and the scheduler that made it', async () => {
    await register('mail');
    const id = await add('mail', { attempts: 2 });
    await end('mail', { kind: 'retry', reason: 'it broke', delay: HOUR });
    expect((await read('mail', id))?.detail).to.equal('The next attempt of the job is due in 1 h');
    await call('PUT', '/queues/mail/schedulers/nightly', {
      repeat: { every: HOUR, startDate: service.clock.now() + HOUR },
      job: { name: 'work', data: 1 },
    });
    const { jobs } = await call<{ jobs: { id: string }[] }>(
      'GET',
      '/queues/mail/jobs?statuses=delayed',
    );
    const scheduled = jobs.find((job) => job.id.startsWith('repeat:'))!;
    expect((await read('mail', scheduled.id))?.detail).to.match(
      /^The job is the next of the scheduler nightly and due in \d+ (?:min|h)$/,
    );
  });

  // holds: sight.blocked-job
  it('is that of its group', async () => {
    await register('mail');
    const id = await add('mail', { group: { id: 'acme' } });
    await call('POST', '/queues/mail/groups/acme/pause');
    expect(await read('mail', id)).to.deep.equal({
      reason: 'groups',
      ...stopped('The group acme of the job'),
    });
    await call('POST', '/queues/mail/groups/acme/resume');
    expect(await read('mail', id)).to.equal(null);
    await call('POST', '/queues/mail/groups/acme/hold', { for: HOUR });
    expect(await read('mail', id)).to.deep.equal({
      reason: 'groups',
      until: service.clock.now() + HOUR,
      ...stopped('The group acme of the job', 'is held for another 1 h'),
    });
  });

  // holds: sight.blocked-job
  it('names the failed job that blocks an ordered group', async () => {
    const group = { id: 'acme' };
    await register('mail');
    await call('PUT', '/queues/mail/policy', { groups: { ordered: 'block' } });
    const [first, second] = [await add('mail', { group }), await add('mail', { group })];
    const [claimed] = await call<{ token: string }[]>('POST', '/queues/mail/jobs/claim', {});
    const path = `/queues/mail/jobs/${first}/fail`;
    await call('POST', path, { reason: 'it broke' }, claimed!.token);
    expect(await read('mail', second)).to.deep.equal({
      reason: 'groups',
      detail: `Job ${first} of the ordered group acme failed`,
      queue: 'mail',
      id: first,
    });
  });

  // holds: sight.blocked-job, sight.blocked-children
  it('names the failed job that a parent waits for, however far below, as does its queue', async () => {
    const { id } = await addFlow();
    expect(await read('reports', id)).to.deep.equal({
      reason: 'children',
      detail:
        'The job waits for a child that does not start: No worker is registered and no client has ' +
        'claimed a job for a minute',
      queue: 'parts',
      id: 'part',
    });
    expect(await queueReason('reports')).to.equal(null);
    const attempt = await service.claim('parts');
    expect((await read('reports', id))?.detail).to.equal(
      'The job waits for a child that is running',
    );
    await service.settle('parts', attempt, FAILED);
    const failed = { reason: 'children', queue: 'parts', id: 'part' };
    expect(await read('reports', id)).to.deep.equal({
      ...failed,
      detail: 'The job waits for a child that failed',
    });
    const ofQueue = { ...failed, detail: 'A job waits for a child that failed' };
    for (const queue of ['reports', 'chapters']) {
      expect(await queueReason(queue)).to.deep.equal(ofQueue);
    }
    const { queues } = await call<{ queues: { name: string; blocked: Reason | null }[] }>(
      'GET',
      '/queues?view=figures&state=blocked',
    );
    expect(queues.map(({ name, blocked }) => [name, blocked])).to.deep.equal([
      ['chapters', ofQueue],
      ['reports', ofQueue],
    ]);
    await add('reports', { delay: HOUR });
    expect(await queueReason('reports')).to.include({ reason: 'no-worker' });
  });

  // holds: sight.blocked-scope
  it('does not name a job of a queue that the token may not use', async () => {
    const { id } = await addFlow();
    expect(await read('reports', id, 'reports')).to.deep.equal({
      reason: 'children',
      detail: 'The job waits for its children',
    });
    await end('parts', FAILED);
    expect(await read('reports', id, 'reports')).to.deep.equal({
      reason: 'children',
      detail: 'The job waits for a child that failed',
    });
    const hidden = { reason: 'children', detail: 'A job waits for a child that failed' };
    expect(await queueReason('reports', 'reports')).to.deep.equal(hidden);
    expect(await queueReason('reports', 'all')).to.include({ queue: 'parts', id: 'part' });
    const { queues } = await call<{ queues: { blocked: Reason | null }[] }>(
      'GET',
      '/queues?view=figures',
      undefined,
      'reports',
    );
    expect(queues.map(({ blocked }) => blocked)).to.deep.equal([hidden]);
  });
});
