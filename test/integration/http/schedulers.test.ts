import { expect } from 'chai';
import { NOBODY } from '../../../src/domain/access/caller.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { HttpService } from './support/http-service.ts';

const HOUR = 3_600_000;
const JOB = { name: 'report', data: { for: 'all' } };

interface Shown {
  readonly id: string;
  readonly repeat: object;
  readonly job: { readonly opts: object };
  readonly pause?: object;
  readonly next: readonly number[];
  readonly last: { readonly at: number; readonly jobId: string; readonly state: string } | null;
}

describe('Scheduler endpoints', () => {
  let service: HttpService;
  let tests = 0;
  let queue: string;
  let path: string;

  before(async () => {
    service = await new HttpService({ keptIn: 'postgres' }).start();
  });

  beforeEach(() => {
    tests += 1;
    queue = `scheduled-${tests}`;
    path = `/queues/${queue}/schedulers`;
  });

  after(() => service.stop());

  const call = (method: string, at: string, body?: unknown) =>
    service.request(method, at, body === undefined ? {} : { body });

  const save = async (repeat: object, id = 'nightly', job: object = JOB): Promise<Shown> => {
    const answer = await call('PUT', `${path}/${id}`, { repeat, job });
    expect(answer.status, answer.text).to.equal(200);
    return JSON.parse(answer.text) as Shown;
  };

  // holds: schedulers.save, schedulers.next
  it('returns the scheduler, with its next five slots', async () => {
    const now = service.clock.now();
    const saved = await save({ pattern: '30 2 * * *', tz: 'Europe/Berlin' });
    const first = Date.UTC(2025, 0, 1, 1, 30);
    expect(now).to.be.at.most(first);
    expect(saved).to.deep.equal({
      id: 'nightly',
      repeat: { pattern: '30 2 * * *', tz: 'Europe/Berlin' },
      job: { ...JOB, opts: { attempts: 0 } },
      overlap: 'allow',
      paused: false,
      next: [0, 1, 2, 3, 4].map((days) => first + days * 24 * HOUR),
      last: null,
      lastRunByHand: null,
    });
    const read = await call('GET', `${path}/nightly`);
    expect([read.status, JSON.parse(read.text)]).to.deep.equal([200, saved]);
    expect((await call('GET', `/queues/${queue}`)).status).to.equal(200);
  });

  // holds: schedulers.all
  it('lists the schedulers of all queues, the next one first and paused ones last', async () => {
    const prefix = queue;
    const saved: Shown[] = [];
    for (const [name, hour] of [
      ['a', 5],
      ['b', 3],
      ['c', 1],
    ] as const) {
      path = `/queues/${prefix}-${name}/schedulers`;
      saved.push(await save({ pattern: `0 ${hour} * * *` }));
    }
    await call('POST', `/queues/${prefix}-c/schedulers/nightly/pause`);
    const list = async (query: string): Promise<{ total: number; schedulers: Shown[] }> => {
      const { status, text } = await call('GET', `/schedulers?queues=${prefix}-*${query}`);
      expect(status, text).to.equal(200);
      return JSON.parse(text) as { total: number; schedulers: Shown[] };
    };
    const [a, b, c] = saved;
    const at = service.clock.now();
    const pause = { by: 'environment:1', at, reason: null };
    const paused = { ...c, queue: `${prefix}-c`, paused: true, pause, next: [] };
    const expected = [{ queue: `${prefix}-b`, ...b }, { queue: `${prefix}-a`, ...a }, paused];
    expect(await list('')).to.deep.equal({ total: 3, schedulers: expected });
    expect(await list('&start=1&length=1')).to.deep.equal({
      total: 3,
      schedulers: [expected[1]],
    });
    const byQueue = (await list('&sort=queue')).schedulers;
    expect(byQueue).to.deep.equal([expected[1], expected[0], paused]);
    expect(await list('-none')).to.deep.equal({ total: 0, schedulers: [] });
  });

  // holds: schedulers.all
  it('lists them by their next slot, even while jobs of past slots still wait', async () => {
    for (const [name, every] of [
      ['hour', HOUR],
      ['day', 24 * HOUR],
      ['minute', 60_000],
    ] as const) {
      await save({ every }, name);
      await service.clock.advance(1);
    }
    const { text } = await call('GET', `/schedulers?queues=${queue}`);
    const { schedulers } = JSON.parse(text) as { schedulers: Shown[] };
    expect(schedulers.map(({ id }) => id)).to.deep.equal(['minute', 'hour', 'day']);
  });

  // holds: schedulers.dry-run
  it('shows what it would store on a dry run, and stores nothing', async () => {
    const body = { repeat: { pattern: '0 5 * * *' }, job: JOB };
    const dry = await call('PUT', `${path}/nightly?dryRun=true`, body);
    expect(dry.status).to.equal(200);
    expect((await call('GET', `${path}/nightly`)).status).to.equal(404);
    expect(JSON.parse(dry.text)).to.deep.equal(await save(body.repeat));
    const wrong = await call('PUT', `${path}/nightly?dryRun=true`, { repeat: {}, job: JOB });
    expect(wrong.status).to.equal(400);
  });

  // holds: schedulers.list
  it('lists the schedulers of a queue, the next one first', async () => {
    expect((await call('GET', path)).status).to.equal(404);
    const late = await save({ pattern: '0 5 * * *' }, 'late');
    const early = await save({ pattern: '0 3 * * *' }, 'early');
    expect(JSON.parse((await call('GET', path)).text)).to.deep.equal([early, late]);
    await call('DELETE', `${path}/late`);
    await call('DELETE', `${path}/early`);
    expect(await call('GET', path)).to.include({ status: 200, text: '[]' });
  });

  // holds: schedulers.next
  it('shows the job that it added last, and fewer slots when there are fewer', async () => {
    const { next } = await save({ every: HOUR, limit: 3 });
    const now = service.clock.now();
    expect(next).to.deep.equal([now + HOUR, now + 2 * HOUR]);
    const attempt = await service.claim(queue);
    const last = { at: now, jobId: `repeat:nightly:${now}`, state: 'active' };
    const read = async () => JSON.parse((await call('GET', `${path}/nightly`)).text) as Shown;
    expect((await read()).last).to.deep.equal(last);
    await service.settle(queue, attempt, { kind: 'failed', reason: 'no' });
    expect((await read()).last).to.deep.equal({ ...last, state: 'failed' });
    await call('DELETE', `/queues/${queue}/jobs/${last.jobId}`);
    expect((await read()).last).to.deep.equal({ ...last, state: null });
    expect((await read()).next).to.deep.equal(next);
  });

  // holds: schedulers.policy
  it('writes the defaults of policies into its jobs', async () => {
    await call('PUT', `/queues/${queue}/policy`, { defaults: { attempts: 4, ttl: 5 } });
    expect((await save({ every: HOUR })).job.opts).to.deep.equal({ attempts: 4 });
    const given = { ...JOB, opts: { attempts: 2, priority: 3 } };
    expect((await save({ every: HOUR }, 'other', given)).job.opts).to.deep.equal(given.opts);
  });

  // holds: schedulers.run
  it('adds an extra job when it is run, and goes on as before', async () => {
    const opts = { attempts: 2, priority: 3, removeOnComplete: true };
    const repeat = { pattern: '30 2 * * *', limit: 2 };
    const { next } = await save(repeat, 'nightly', { ...JOB, opts });
    const answer = await call('POST', `${path}/nightly/run`);
    expect(answer.status, answer.text).to.equal(200);
    const job = JSON.parse(answer.text) as object;
    expect(job).to.deep.include({ ...JOB, opts: { ...opts, delay: 0 } });
    expect(job).not.to.have.property('state');
    const { id } = job as { readonly id: string };
    expect(id).to.match(/^\d+$/);
    const read = await call('GET', `/queues/${queue}/jobs/${id}`);
    const alone = { ...job, state: 'prioritized', suspended: null };
    expect(JSON.parse(read.text)).to.deep.equal(alone);
    const shown = JSON.parse((await call('GET', `${path}/nightly`)).text) as Shown;
    const at = service.clock.now();
    const lastRunByHand = { at, jobId: id, state: 'prioritized' };
    expect(shown).to.deep.include({ next, last: null, lastRunByHand });
    const preview = await call('PUT', `${path}/nightly?dryRun=true`, { repeat, job: JOB });
    expect(JSON.parse(preview.text)).to.deep.include({ lastRunByHand });

    await call('PUT', `/queues/${queue}/policy`, { maxWaiting: 1 });
    expect((await call('POST', `${path}/nightly/run`)).status).to.equal(429);
    expect(await call('POST', `${path}/other/run`)).to.include({
      status: 404,
      text: 'Scheduler not found',
    });
  });

  // holds: schedulers.pause, schedulers.paused
  it('is paused and resumed, and may be stored as paused', async () => {
    const shown = await save({ pattern: '30 2 * * *' });
    const by = { by: 'environment:1', reason: null };
    const paused = (pause?: object) => ({ ...shown, paused: true, pause, next: [] });
    const read = async () => JSON.parse((await call('GET', `${path}/nightly`)).text) as Shown;
    for (const [action, expected] of [
      ['pause', paused],
      ['pause', paused],
      ['resume', () => shown],
      ['resume', () => shown],
    ] as const) {
      const answer = await call('POST', `${path}/nightly/${action}`);
      expect(answer).to.include({ status: 200, text: 'OK' });
      const found = await read();
      expect(found).to.deep.equal(expected(found.pause));
      expect(found.pause ?? by).to.include(by);
    }
    const body = { repeat: { pattern: '30 2 * * *' }, job: JOB, paused: true };
    const stored = await call('PUT', `${path}/nightly`, body);
    const found = JSON.parse(stored.text) as Shown;
    expect(found).to.deep.equal(paused(found.pause));
    for (const action of ['pause', 'resume']) {
      const answer = await call('POST', `${path}/other/${action}`);
      expect(answer).to.include({ status: 404, text: 'Scheduler not found' });
    }
    const mistake = await call('PUT', `${path}/nightly`, { ...body, paused: 1 });
    expect(mistake).to.include({ status: 400, text: 'paused must be true or false' });
  });

  // holds: schedulers.overlap, schedulers.overlap-run
  it('skips slots while its job runs if so configured, but no job that is run by hand', async () => {
    const body = { repeat: { every: HOUR }, job: JOB, overlap: 'skip' };
    const saved = await call('PUT', `${path}/nightly`, body);
    expect(JSON.parse(saved.text)).to.include({ overlap: 'skip' });
    const first = await service.claim(queue);
    await service.clock.advance(HOUR);
    const { text } = await call('POST', `${path}/nightly/run`);
    const { id } = JSON.parse(text) as { readonly id: string };
    const asked = await service.claim(queue);
    expect(asked.jobId).to.equal(id);
    await service.settle(queue, first, { kind: 'completed', returnvalue: null });
    await service.clock.advance(HOUR);
    // That job still runs.
    expect((await service.claim(queue)).jobId).to.match(/^repeat:nightly:/);
    const read = JSON.parse((await call('GET', `${path}/nightly`)).text) as Shown;
    expect(read.last?.at).to.equal(service.clock.now());
    expect(read).to.include({ overlap: 'skip' });
    const replaced = await call('PUT', `${path}/nightly`, { ...body, overlap: undefined });
    expect(JSON.parse(replaced.text)).to.include({ overlap: 'allow' });
    const mistake = await call('PUT', `${path}/nightly`, { ...body, overlap: 'queue' });
    expect(mistake).to.include({ status: 400, text: 'overlap must be allow or skip' });
  });

  // holds: schedulers.remove
  it('removes a scheduler', async () => {
    await save({ every: HOUR });
    expect(await call('DELETE', `${path}/nightly`)).to.include({ status: 200, text: 'OK' });
    for (const method of ['GET', 'DELETE']) {
      const gone = await call(method, `${path}/nightly`);
      expect(gone).to.include({ status: 404, text: 'Scheduler not found' });
    }
  });

  // holds: schedulers.page
  it('lists a page of them, of at most a hundred', async () => {
    const ids = Array.from({ length: 103 }, (_, number) => `n${1000 + number}`);
    for (const [number, id] of ids.entries()) await save({ every: HOUR + number }, id);
    const listed = async (query: string): Promise<readonly string[]> => {
      const answer = await call('GET', `${path}${query}`);
      expect(answer.status, answer.text).to.equal(200);
      return (JSON.parse(answer.text) as readonly Shown[]).map(({ id }) => id);
    };
    const all = [...(await listed('')), ...(await listed('?start=100'))];
    expect(await listed('')).to.have.length(100);
    expect(all.toSorted()).to.deep.equal(ids);
    expect(await listed('?start=40&length=3')).to.deep.equal(all.slice(40, 43));
    expect(await listed('?start=103')).to.deep.equal([]);
    expect(await listed('?length=0')).to.deep.equal([]);
    expect(await call('GET', `${path}?length=101`)).to.include({
      status: 400,
      text: 'length must be an integer from 0 to 100',
    });
    expect((await call('GET', `/queues/${queue}-none/schedulers?length=0`)).status).to.equal(404);
  });

  it('computes the next slots for a few at a time, and serves other clients in between', async () => {
    for (let number = 0; number < 23; number += 1) await save({ every: HOUR }, `n${number}`);
    const page = { start: 0, length: 100 };
    const sizes: number[] = [];
    for await (const piece of await service.application.schedulers.list(queueNamed(queue), page)) {
      sizes.push(piece.length);
    }
    expect(sizes.reduce((sum, size) => sum + size)).to.equal(23);
    expect(Math.max(...sizes)).to.be.at.most(5);
  });

  // holds: schedulers.most
  it('refuses a scheduler beyond the limit of a queue, and lets the others be replaced', async () => {
    const { schedulers } = service.application;
    const body = { repeat: { every: HOUR }, job: JOB };
    for (let number = 0; number < 10_000; number += 1000) {
      const ids = Array.from({ length: 1000 }, (_, index) => `n${number + index}`);
      await Promise.all(ids.map((id) => schedulers.save(queueNamed(queue), id, body, NOBODY)));
    }
    expect(await call('PUT', `${path}/other`, body)).to.include({
      status: 409,
      text: 'The queue has 10000 schedulers, the most that a queue may have',
    });
    expect((await call('PUT', `${path}/n17`, body)).status).to.equal(200);
    await call('DELETE', `${path}/n18`);
    expect((await call('PUT', `${path}/other`, body)).status).to.equal(200);
  });

  for (const [kind, job, field] of [
    ['data beyond 64 kB', { ...JOB, data: 'x'.repeat(65_535) }, 'data'],
    ['data beyond 64 kB in UTF-8', { ...JOB, data: ['ä'.repeat(32_768)] }, 'data'],
    ['a name beyond 64 kB', { ...JOB, name: 'x'.repeat(65_537) }, 'name'],
    ['a body that no scheduler has', { ...JOB, data: 'x'.repeat(2_000_000) }, 'data'],
  ] as const) {
    // holds: schedulers.template
    it(`refuses ${kind}`, async () => {
      const answer = await call('PUT', `${path}/nightly`, { repeat: { every: HOUR }, job });
      expect(answer).to.include({
        status: 413,
        text: `job.${field} must be of at most 65536 bytes`,
      });
      expect((await call('GET', `/queues/${queue}`)).status).to.equal(404);
    });
  }

  // holds: schedulers.template
  it('accepts data of 64 kB, as JSON text', async () => {
    const data = '\u0001'.repeat(10_922);
    expect((await save({ every: HOUR }, 'nightly', { ...JOB, data })).job).to.include({ data });
    const long = 'x'.repeat(65_534);
    expect((await save({ every: HOUR }, 'other', { ...JOB, data: long })).job).to.include({
      data: long,
    });
  });

  for (const repeat of [
    { pattern: '0 0 31 2,4,6,9,11 *' },
    { pattern: '0 0 * 2 1#5' },
    { pattern: '0 0 * 2 1#5', immediately: true },
    { pattern: '0 0 * 2 1#5', startDate: Date.UTC(2045, 0) },
    { pattern: '15 2 * 10 0#1', tz: 'Australia/Lord_Howe' },
  ]) {
    // holds: schedulers.no-time
    it(`refuses a pattern without a time within ten years: ${JSON.stringify(repeat)}`, async () => {
      const answer = await call('PUT', `${path}/nightly`, { repeat, job: JOB });
      expect(answer).to.include({
        status: 400,
        text: 'repeat.pattern must have a time within ten years',
      });
      expect((await call('GET', `/queues/${queue}`)).status).to.equal(404);
    });
  }

  // holds: schedulers.no-time
  it('accepts a pattern that has a time within ten years of its start', async () => {
    const startDate = Date.UTC(2044, 0);
    const { next } = await save({ pattern: '0 0 * 2 1#5', startDate });
    expect(next).to.deep.equal([Date.UTC(2044, 1, 29)]);
    expect((await save({ pattern: '0 0 29 2 *' }, 'other')).next).to.have.length(5);
  });

  for (const [body, message] of [
    [{ job: JOB }, 'repeat must be an object'],
    [{ repeat: { every: 5 } }, 'job must be an object'],
    [{ repeat: {}, job: JOB }, 'repeat must have either pattern or every'],
    [
      { repeat: { every: 5, pattern: '* * * * *' }, job: JOB },
      'repeat must have either pattern or every',
    ],
    [{ repeat: { every: 0 }, job: JOB }, 'repeat.every must be an integer of at least 1'],
    [
      { repeat: { pattern: '* * * *' }, job: JOB },
      'repeat.pattern must be a cron pattern of five fields, or of six of which the first are the seconds',
    ],
    [
      { repeat: { pattern: '61 * * * *' }, job: JOB },
      'repeat.pattern is no cron pattern: Constraint error, got value 61 expected range 0-59',
    ],
    [
      { repeat: { pattern: '* * * * *', tz: 'Mars/Olympus' }, job: JOB },
      'repeat.tz must be the name of a time zone',
    ],
    [
      { repeat: { every: 5, endDate: 1 }, job: JOB },
      'repeat must have a slot to come, before its endDate',
    ],
    [
      { repeat: { every: 5, startDate: 1, immediately: true }, job: JOB },
      'repeat.immediately must not be given with startDate',
    ],
    [{ repeat: { every: 5, limit: 0 }, job: JOB }, 'repeat.limit must be an integer of at least 1'],
    [{ repeat: { every: 5, cron: 1 }, job: JOB }, 'repeat.cron is not a known field'],
    [
      { repeat: { every: 5 }, job: { ...JOB, opts: { delay: 5 } } },
      'job.opts.delay is not a known field',
    ],
  ] as const) {
    // holds: schedulers.mistakes
    it(`refuses ${JSON.stringify(body)}`, async () => {
      const answer = await call('PUT', `${path}/nightly`, body);
      expect(answer).to.include({ status: 400, text: message });
      expect((await call('GET', `/queues/${queue}`)).status).to.equal(404);
    });
  }

  // holds: schedulers.mistakes
  it('refuses an invalid id', async () => {
    const answer = await call('PUT', `${path}/a:b`, { repeat: { every: 5 }, job: JOB });
    expect(answer).to.include({
      status: 400,
      text: 'The id of the scheduler must be a string of 1 to 255 characters without ":" and control characters',
    });
  });
});
