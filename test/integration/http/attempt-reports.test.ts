import { expect } from 'chai';
import { HttpService, MAX_RETURN_VALUE } from './support/http-service.ts';

const REFUSED = { status: 401, text: 'The token is not that of a running attempt of this job' };
const OK = { status: 200, text: 'OK' };

describe('Reports by the token of a job', () => {
  let service: HttpService;

  beforeEach(async () => {
    service = await new HttpService({ keptIn: 'disk' }).start();
  });

  afterEach(() => service.stop());

  /** Adds a job that a client then claims. */
  const taken = async (queue: string, opts: object = {}) => {
    const path = `/queues/${queue}/jobs`;
    await service.request('POST', path, { body: [{ name: 'work', data: 'some data', opts }] });
    const { text } = await service.request('POST', `${path}/claim`);
    const [{ job, token }] = JSON.parse(text) as [{ job: { id: string }; token: string }];
    const report = (verb: string, body?: unknown, by = token) =>
      service.request('POST', `${path}/${job.id}/${verb}`, { token: by, body });
    const read = async (): Promise<Record<string, unknown>> =>
      JSON.parse((await service.request('GET', `${path}/${job.id}`)).text) as never;
    const claimed = async (): Promise<string[]> => {
      const answer = await service.request('POST', `${path}/claim`);
      return (JSON.parse(answer.text) as { job: { id: string } }[]).map((each) => each.job.id);
    };
    return { path: `${path}/${job.id}`, token, report, read, claimed };
  };

  for (const value of [{ some: ['value'] }, null, 0, false, '""']) {
    // holds: reports.complete
    it(`complete the job with ${JSON.stringify(value)}`, async () => {
      const { report, read } = await taken('completed');
      expect(await report('complete', value === null ? 'null' : value)).to.include(OK);
      const returnvalue = value === '""' ? '' : value;
      expect(await read()).to.deep.include({ state: 'completed', returnvalue, attemptsMade: 1 });
    });
  }

  // holds: reports.complete
  it('complete the job with null when their body is empty', async () => {
    const { report, read } = await taken('silent');
    expect(await report('complete')).to.include(OK);
    expect(await read()).to.include({ state: 'completed', returnvalue: null });
  });

  // holds: reports.too-large
  it('are 413 when the return value is too large, and 400 when it is no JSON', async () => {
    const { report, read } = await taken('large');
    const large = `"${'x'.repeat(MAX_RETURN_VALUE)}"`;
    expect(await report('complete', large)).to.include({
      status: 413,
      text: `A return value must be of at most ${MAX_RETURN_VALUE} bytes`,
    });
    expect((await report('complete', '{"a"')).status).to.equal(400);
    expect(await read()).to.include({ state: 'active' });
    expect(await report('complete', large.slice(2))).to.include({ status: 400 });
    expect(await report('complete', `"${large.slice(3)}`)).to.include(OK);
  });

  // holds: reports.fail
  it("fail the attempt, and another one follows according to the job's options", async () => {
    const { report, read, claimed } = await taken('failing', { attempts: 2, backoff: 5000 });
    expect(await report('fail', { reason: 'no paper' })).to.include(OK);
    expect(await read()).to.deep.include({
      state: 'delayed',
      delay: 5000,
      failedReason: 'no paper',
      stacktrace: ['no paper'],
      attemptsMade: 1,
    });
    await service.clock.advance(5000);
    expect(await claimed()).to.deep.equal(['1']);
  });

  // holds: reports.fail
  it('fail the job if its attempts are used up, or if they ask for no further attempt', async () => {
    const last = await taken('last');
    await last.report('fail', { reason: 'no paper', delay: 5 });
    expect(await last.read()).to.deep.include({ state: 'failed', failedReason: 'no paper' });
    const forGood = await taken('for-good', { attempts: 5 });
    await forGood.report('fail', { reason: 'no such page', retry: false });
    expect(await forGood.read()).to.include({ state: 'failed', attemptsMade: 1 });
  });

  // holds: reports.fail
  it('set when another attempt may follow, in place of the backoff', async () => {
    const later = await taken('later', { attempts: 3, backoff: 5000 });
    await later.report('fail', { reason: 'busy', delay: 70 });
    expect(await later.read()).to.include({ state: 'delayed', delay: 70 });
    const atOnce = await taken('at-once', { attempts: 3, backoff: 5000 });
    await atOnce.report('fail', { reason: 'busy', retry: true, delay: 0 });
    expect(await atOnce.read()).to.include({ state: 'waiting' });
    const tooLate = await taken('too-late', { attempts: 3, retryFor: 1000 });
    await tooLate.report('fail', { reason: 'busy', delay: 1001 });
    expect(await tooLate.read()).to.include({ state: 'failed', failedReason: 'busy' });
  });

  // holds: reports.fail
  it('keep the first kB of a reason', async () => {
    const { report, read } = await taken('wordy');
    await report('fail', { reason: 'é'.repeat(600) });
    expect(await read()).to.include({ failedReason: 'é'.repeat(512) });
  });

  // holds: reports.extend
  it('extend the lock of the job', async () => {
    const { report, read } = await taken('extended');
    const answer = await report('extend', { lock: 3_600_000 });
    expect(answer).to.include({ status: 200 });
    expect(JSON.parse(answer.text)).to.deep.equal({ until: service.clock.now() + 3_600_000 });
    expect(await read()).to.include({ state: 'active' });
  });

  // holds: reports.release
  it('give the job back without using up an attempt, at the head or after a delay', async () => {
    const first = await taken('released');
    await service.request('POST', '/queues/released/jobs', { body: [{ name: 'b', data: 1 }] });
    expect(await first.report('release')).to.include(OK);
    expect(await first.read()).to.include({ state: 'waiting', attemptsMade: 0 });
    expect(await first.claimed()).to.deep.equal(['1']);
    const later = await taken('put-off');
    expect(await later.report('release', { delay: 300 })).to.include(OK);
    expect(await later.read()).to.include({ state: 'delayed', delay: 300, attemptsMade: 0 });
    await service.clock.advance(300);
    expect(await later.claimed()).to.deep.equal(['1']);
  });

  for (const [verb, body, mistake] of [
    ['fail', {}, 'reason must be a string that is not blank'],
    ['fail', { reason: ' ' }, 'reason must be a string that is not blank'],
    ['fail', { reason: 'no', retry: 1 }, 'retry must be true or false'],
    ['fail', { reason: 'no', delay: -1 }, 'delay must be an integer of at least 0'],
    ['fail', { reason: 'no', status: 1 }, 'status is not a known field'],
    ['extend', {}, 'lock must be an integer from 1000 to 43200000'],
    ['extend', { lock: 999 }, 'lock must be an integer from 1000 to 43200000'],
    ['release', { delay: 0.5 }, 'delay must be an integer of at least 0'],
    ['release', { reason: 'no' }, 'reason is not a known field'],
  ] as const) {
    // holds: reports.fail, reports.extend, reports.release
    it(`are 400 as ${verb} ${JSON.stringify(body)}`, async () => {
      const { report, read } = await taken('mistaken');
      expect(await report(verb, body)).to.include({ status: 400, text: mistake });
      expect(await read()).to.include({ state: 'active' });
    });
  }

  describe('with a dead token', () => {
    const BODIES = {
      complete: 1,
      fail: { reason: 'no' },
      extend: { lock: 1000 },
      release: {},
      progress: 5,
      logs: '"a line"',
    } as const;
    const verbs = Object.keys(BODIES) as (keyof typeof BODIES)[];

    for (const [end, repeatable] of [
      ['complete', ['complete']],
      ['fail', ['fail']],
      ['release', ['release']],
      ['cancel', []],
    ] as const) {
      // holds: reports.repeated, reports.dead-token
      it(`are 401 after ${end}, unless they repeat it`, async () => {
        const { path, report } = await taken(`after-${end}`, { removeOnComplete: true });
        const ending =
          end === 'cancel'
            ? await service.request('POST', `${path}/cancel`)
            : await report(end, BODIES[end]);
        expect(ending).to.include(OK);
        for (const verb of verbs) {
          const isRepeated = (repeatable as readonly string[]).includes(verb);
          expect(await report(verb, BODIES[verb]), verb).to.include(isRepeated ? OK : REFUSED);
        }
      });
    }

    // holds: reports.repeated
    it('are 401 even as repeats once a minute has passed, and for another job', async () => {
      const { report, path } = await taken('minute');
      await taken('minute');
      await report('complete', 1);
      const other = path.replace(/1$/, '2');
      const { token } = await taken('minute');
      expect(token).to.be.a('string');
      await service.clock.advance(59_999);
      expect(await report('complete', 2)).to.include(OK);
      expect((await service.request('POST', `${other}/complete`, { token })).status).to.equal(401);
      await service.clock.advance(1);
      expect(await report('complete', 1)).to.include(REFUSED);
    });

    // holds: reports.dead-token
    it('are 401 for other tokens, unknown jobs and queues, and keys that are no jobs', async () => {
      const { report, path, token } = await taken('wrong');
      for (const verb of verbs) {
        expect(await report(verb, BODIES[verb], 'x'.repeat(32)), verb).to.include(REFUSED);
        for (const wrong of [
          path.replace(/1$/, '9'),
          path.replace(/1$/, 'meta'),
          '/queues/none/jobs/1',
        ]) {
          const body = BODIES[verb];
          const answer = await service.request('POST', `${wrong}/${verb}`, { token, body });
          expect(answer, `${wrong} ${verb}`).to.include(REFUSED);
        }
      }
    });
  });

  // holds: reports.on-record
  it('leave the attempt on record, and in the log without the text of the client', async () => {
    const { report, path } = await taken('recorded', { attempts: 2 });
    await report('fail', { reason: 'no paper' });
    const again = await service.request('POST', '/queues/recorded/jobs/claim');
    const [{ token }] = JSON.parse(again.text) as [{ token: string }];
    await service.request('POST', `${path}/fail`, { token, body: { reason: 'some data' } });
    const { text } = await service.request('GET', `${path}/attempts`);
    const { count, attempts } = JSON.parse(text) as { count: number; attempts: object[] };
    expect(count).to.equal(2);
    expect(attempts[0]).to.include({ number: 1, outcome: 'failed', reason: 'no paper' });
    expect(attempts[0]).to.include({ status: null, response: null });
    const [line] = service.logger.lines.filter(({ message }) => message === 'Job failed');
    expect(line!.fields).to.include({ reason: 'Reported by its worker', attempts: 2 });
  });

  // holds: reports.during-call
  it('end the attempt of a call that has not been answered', async () => {
    const body = [{ name: 'work', data: 1 }];
    await service.request('POST', '/queues/called/jobs', { body });
    const attempt = await service.claim('called');
    const report = { token: attempt.token, body: '7' };
    expect(await service.request('POST', '/queues/called/jobs/1/complete', report)).to.include(OK);
    const { text } = await service.request('GET', '/queues/called/jobs/1');
    expect(JSON.parse(text)).to.include({ state: 'completed', returnvalue: 7 });
  });
});
