import { expect } from 'chai';
import type { Attempt } from '../../src/domain/attempts/attempt.ts';
import type { Settled } from '../../src/domain/attempts/ending.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import type { SuspensionRequest } from '../../src/domain/steps/suspension-request.ts';
import type { JobOptionsInput } from '../../src/domain/jobs/job-options.ts';
import type { QueueHarness } from './queue-harness.ts';
import { describeAroundSuspensions } from './steps/around-suspensions.ts';
import { describeLargeSuspensions } from './steps/large-suspensions.ts';
import { addOne, ANY, claimOf, HOUR, jobOf, take, uniqueQueue } from './queue-steps.ts';

const TERMS = { ...ANY, wantsSteps: true };

const NOTHING: SuspensionRequest = {
  steps: [],
  sleeps: [],
  signals: [],
  added: [],
  id: 'added',
  maxWaiting: new Map(),
};

const CALL = { outcome: 'suspended', status: 206 } as const;

/** What every StepPort promises, with JobSignalPort and the suspension of jobs. */
export function describeStepPort(name: string, createHarness: () => Promise<QueueHarness>): void {
  describe(`StepPort: ${name}`, () => {
    let harness: QueueHarness;
    let queue: QueueName;

    before(async () => {
      harness = await createHarness();
    });
    beforeEach(() => {
      queue = uniqueQueue();
    });
    after(() => harness.dispose());

    const begun = async (opts: JobOptionsInput = {}): Promise<Attempt> => {
      await addOne(harness.queues, queue, opts);
      return take(harness.attempts, queue, TERMS);
    };
    const suspend = (attempt: Attempt, request: Partial<SuspensionRequest>): Promise<Settled> => {
      const ending = {
        kind: 'suspended',
        request: { ...NOTHING, ...request },
        call: CALL,
      } as const;
      return harness.attempts.settle(queue, attempt, ending);
    };
    const save = (attempt: Attempt, step: string, value: unknown) =>
      harness.steps.save(queue, attempt, { name: step, value: JSON.stringify(value) });
    const next = (): Promise<Attempt> => take(harness.attempts, queue, TERMS);
    const stateOf = async (id: string): Promise<string | undefined> =>
      (await harness.queues.find(queue, id))?.state;
    const claimsNothing = async (): Promise<void> => {
      const { kind } = await harness.attempts.claim(queue, claimOf(TERMS));
      expect(kind).to.equal('idle');
    };
    const stepsOf = ({ steps = [] }: Attempt): object =>
      Object.fromEntries(steps.map((step) => [step.name, JSON.parse(step.value) as unknown]));

    describe('a step that a running attempt saves', () => {
      // holds: steps.save
      it('comes with the next call, and its first value stays', async () => {
        const attempt = await begun({ attempts: 2 });
        expect(attempt.steps).to.equal(undefined);
        expect(await save(attempt, 'charge', { paid: 17 })).to.deep.equal({ kind: 'saved' });
        const again = await save(attempt, 'charge', 'other');
        expect(again).to.deep.equal({ kind: 'known', value: '{"paid":17}' });
        const retry = {
          kind: 'retry',
          reason: 'down',
          delay: 0,
          call: { outcome: 'failed' },
        } as const;
        await harness.attempts.settle(queue, attempt, retry);
        expect(stepsOf(await next())).to.deep.equal({ charge: { paid: 17 } });
      });

      // holds: steps.token
      it('is refused without the token of the attempt, and for a job that is gone', async () => {
        const attempt = await begun();
        const other = { ...attempt, token: 'another' };
        expect(await save(other, 'charge', 1)).to.deep.equal({ kind: 'refused' });
        expect(await save({ ...attempt, jobId: 'none' }, 'charge', 1)).to.deep.equal({
          kind: 'refused',
        });
        expect(await harness.steps.list(queue, 'none')).to.equal(undefined);
      });

      // holds: steps.bounds
      it('is refused beyond the bounds, which changes nothing', async () => {
        const attempt = await begun();
        const large = 'x'.repeat(256 * 1024);
        const excess = { kind: 'too-much', excess: 'Step charge exceeds 256 kB' };
        expect(await save(attempt, 'charge', large)).to.deep.equal(excess);
        for (const step of ['a', 'b', 'c', 'd']) {
          expect(await save(attempt, step, large.slice(2))).to.deep.equal({ kind: 'saved' });
        }
        const whole = { kind: 'too-much', excess: 'Steps exceed 1 MB' };
        expect(await save(attempt, 'e', 1)).to.deep.equal(whole);
        const steps = await harness.steps.list(queue, attempt.jobId);
        expect(steps?.map((step) => [step.name, step.kind, step.size])).to.deep.equal(
          ['a', 'b', 'c', 'd'].map((step) => [step, 'value', 256 * 1024]),
        );
      });

      // holds: steps.repair
      it('can be removed once no attempt holds the job', async () => {
        const attempt = await begun({ attempts: 3 });
        await save(attempt, 'one', 1);
        await save(attempt, 'two', 2);
        const { jobId } = attempt;
        const active = { kind: 'refused', state: 'active' };
        expect(await harness.steps.remove(queue, jobId, 'one')).to.deep.equal(active);
        await harness.attempts.release(queue, attempt);
        expect(await harness.steps.remove(queue, jobId, 'three')).to.deep.equal({
          kind: 'missing',
        });
        expect(await harness.steps.remove(queue, jobId, 'one')).to.deep.equal({ kind: 'done' });
        expect(await harness.steps.remove(queue, 'none')).to.deep.equal({ kind: 'missing' });
        const later = await next();
        expect(stepsOf(later)).to.deep.equal({ two: 2 });
        await save(later, 'one', 'new');
        await harness.attempts.release(queue, later);
        expect(await harness.steps.remove(queue, jobId)).to.deep.equal({ kind: 'done' });
        expect((await next()).steps).to.equal(undefined);
      });

      // holds: steps.removal
      it('goes with its job', async () => {
        const attempt = await begun({ jobId: 'order' });
        await save(attempt, 'charge', 'gone');
        await harness.attempts.release(queue, attempt);
        await harness.jobControl.remove(queue, attempt.jobId);
        expect(await harness.steps.list(queue, attempt.jobId)).to.equal(undefined);
        await harness.queues.add(queue, [jobOf({ jobId: attempt.jobId })]);
        expect((await next()).steps).to.equal(undefined);
      });
    });

    describe('a suspension', () => {
      // holds: steps.alone
      it('for steps alone calls the job again at once, ahead of others', async () => {
        const attempt = await begun();
        await addOne(harness.queues, queue);
        const saved = { steps: [{ name: 'charge', value: '1' }] };
        expect(await suspend(attempt, saved)).to.include({ held: true });
        const again = await next();
        expect(again.jobId).to.equal(attempt.jobId);
        expect(again.job).to.include({ attemptsMade: 0, attemptsStarted: 2 });
        expect(stepsOf(again)).to.deep.equal({ charge: 1 });
      });

      // holds: steps.sleep
      it('for a sleep delays the job, whose step is the time at which it ended', async () => {
        const attempt = await begun();
        const before = harness.now();
        await suspend(attempt, { sleeps: [{ name: 'rest', duration: 100 }] });
        expect(await stateOf(attempt.jobId)).to.equal('delayed');
        await claimsNothing();
        await harness.advance(110);
        const { rest } = stepsOf(await next()) as { rest: number };
        expect(rest).to.be.within(before + 100, harness.now());
      });

      // holds: steps.sleep
      it('for several names goes on when all are over', async () => {
        const attempt = await begun();
        const sleeps = [
          { name: 'short', duration: 10 },
          { name: 'long', duration: 100 },
        ];
        await suspend(attempt, { sleeps });
        await harness.advance(20);
        await claimsNothing();
        await harness.advance(100);
        expect(stepsOf(await next())).to.have.all.keys('short', 'long');
      });

      // holds: steps.first-value
      it('leaves names as they are that are there, and is refused without a new one', async () => {
        const attempt = await begun();
        await save(attempt, 'charge', 1);
        const steps = [{ name: 'charge', value: '2' }];
        const refusal = { reason: '206 names no new step', isFinal: false };
        expect(await suspend(attempt, { steps })).to.deep.equal({ held: true, refusal });
        await suspend(attempt, { steps: [...steps, { name: 'more', value: '3' }] });
        expect(stepsOf(await next())).to.deep.equal({ charge: 1, more: 3 });
      });

      // holds: steps.bounds
      it('is refused for good beyond the bounds, and once the job was suspended too often', async () => {
        const attempt = await begun({ maxCalls: 1 });
        const value = JSON.stringify('x'.repeat(256 * 1024));
        const large = { reason: 'Step charge exceeds 256 kB', isFinal: true };
        const steps = [{ name: 'charge', value }];
        expect((await suspend(attempt, { steps })).refusal).to.deep.equal(large);
        await suspend(attempt, { steps: [{ name: 'one', value: '1' }] });
        const { refusal } = await suspend(await next(), { steps: [{ name: 'two', value: '2' }] });
        expect(refusal).to.deep.equal({ reason: 'Suspended 1 times', isFinal: true });
      });

      // holds: steps.attempts
      it('is on record under the number of its attempt, with what was saved', async () => {
        const attempt = await begun();
        await save(attempt, 'one', 1);
        await suspend(attempt, { steps: [{ name: 'two', value: '2' }] });
        const again = await next();
        await harness.attempts.settle(queue, again, {
          kind: 'completed',
          returnvalue: null,
          call: { outcome: 'completed' },
        });
        const found = await harness.queues.attempts(queue, attempt.jobId);
        const shown = found?.attempts.map(({ number, outcome, saved }) => [number, outcome, saved]);
        expect(shown).to.deep.equal([
          [1, 'suspended', ['one', 'two']],
          [1, 'completed', []],
        ]);
      });

      for (const [title, awaited] of [
        ['a sleep', { sleeps: [{ name: 'rest', duration: 100 }] }],
        ['a signal', { signals: [{ name: 'paid', key: 'paid:17' }] }],
      ] as const) {
        // holds: steps.groups
        it(`holds an ordered group, for ${title}`, async () => {
          const terms = { ...TERMS, groups: { ordered: 'skip' } } as const;
          const opts = { group: { id: 'a' } };
          const { id } = await addOne(harness.queues, queue, opts);
          await addOne(harness.queues, queue, opts);
          await suspend(await take(harness.attempts, queue, terms), awaited);
          const { kind } = await harness.attempts.claim(queue, claimOf(terms));
          expect(kind).to.equal('idle');
          await harness.advance(110);
          await harness.jobSignals.send(queue, 'paid:17', 'true', 0);
          expect((await take(harness.attempts, queue, terms)).jobId).to.equal(id);
        });
      }

      // holds: steps.promote
      it('ends when the job is promoted, as at its timeouts', async () => {
        const attempt = await begun();
        await suspend(attempt, {
          steps: [{ name: 'one', value: '1' }],
          signals: [{ name: 'paid', key: 'paid:17' }],
        });
        await harness.jobControl.promote(queue, attempt.jobId);
        expect(stepsOf(await next())).to.deep.equal({ one: 1, paid: null });
      });

      // holds: steps.signal
      it('is over when the job is cancelled', async () => {
        const attempt = await begun();
        await suspend(attempt, { signals: [{ name: 'paid', key: 'paid:17' }] });
        await harness.jobControl.cancel(queue, attempt.jobId, { reason: 'no more' });
        expect(await harness.jobSignals.send(queue, 'paid:17', '1', 0)).to.include({ woken: 0 });
        await harness.jobControl.retry(queue, attempt.jobId, {});
        expect((await next()).steps).to.equal(undefined);
      });

      // holds: steps.report
      it('can be reported, and the report repeated', async () => {
        const attempt = await begun();
        const request = { ...NOTHING, sleeps: [{ name: 'rest', duration: HOUR }] };
        const report = () => harness.steps.suspend(queue, attempt, request);
        expect(await harness.steps.suspend(queue, attempt, NOTHING)).to.deep.equal({
          reason: '206 names no new step',
          isFinal: false,
        });
        expect(await report()).to.equal('recorded');
        expect(await report()).to.equal('repeated');
        expect(await stateOf(attempt.jobId)).to.equal('delayed');
      });
    });

    describe('a signal', () => {
      const wait = (attempt: Attempt, timeout?: number): Promise<Settled> =>
        suspend(attempt, {
          signals: [{ name: 'paid', key: 'paid:17', ...(timeout !== undefined && { timeout }) }],
        });
      const send = async (body: unknown, keep = 0): Promise<number> => {
        const text = JSON.stringify(body);
        const sent = await harness.jobSignals.send(queue, 'paid:17', text, keep);
        return sent === 'other' ? NaN : sent.woken;
      };

      // holds: steps.signal
      it('wakes each job that waits for it once, with its body', async () => {
        await wait(await begun());
        await wait(await begun());
        await claimsNothing();
        expect(await send({ by: 'card' })).to.equal(2);
        expect(await send('again')).to.equal(0);
        for (const attempt of [await next(), await next()]) {
          expect(stepsOf(attempt)).to.deep.equal({ paid: { by: 'card' } });
        }
        await claimsNothing();
      });

      // holds: steps.signal-timeout
      it('does not come after the timeout, whose step is null', async () => {
        await wait(await begun(), 50);
        await harness.advance(60);
        expect(await send(1)).to.equal(0);
        expect(stepsOf(await next())).to.deep.equal({ paid: null });
      });

      // holds: steps.signal
      it('leaves a job waiting that awaits another one too', async () => {
        const attempt = await begun();
        await suspend(attempt, {
          signals: [
            { name: 'paid', key: 'paid:17' },
            { name: 'sent', key: 'sent:17' },
          ],
        });
        expect(await send(1)).to.equal(1);
        await claimsNothing();
        const { signals } = await harness.jobSignals.list(queue, { start: 0, length: 10 });
        expect(signals).to.deep.equal([{ key: 'sent:17', waiting: 1, keptUntil: null }]);
        expect(await harness.jobSignals.send(queue, 'sent:17', '2', 0)).to.include({ woken: 1 });
        expect(stepsOf(await next())).to.deep.equal({ paid: 1, sent: 2 });
      });

      // holds: steps.signal-kept
      it('that is kept ends a later wait at once, with its latest body', async () => {
        const attempt = await begun();
        expect(await send('old', HOUR)).to.equal(0);
        await send('new', HOUR);
        await send('not kept');
        await wait(attempt);
        expect(stepsOf(await next())).to.deep.equal({ paid: 'new' });
      });

      // holds: steps.signal-kept
      it('is kept for its time, is listed, and can be forgotten', async () => {
        const attempt = await begun();
        await send(1, 50);
        const { total, signals } = await harness.jobSignals.list(queue, { start: 0, length: 10 });
        expect([total, signals[0]?.key, signals[0]?.waiting]).to.deep.equal([1, 'paid:17', 0]);
        expect(signals[0]?.keptUntil).to.be.within(harness.now() - 60, harness.now() + 50);
        expect(await harness.jobSignals.forget(queue, 'paid:17')).to.equal(true);
        expect(await harness.jobSignals.forget(queue, 'paid:17')).to.equal(false);
        await send(1, 50);
        await harness.advance(60);
        await wait(attempt);
        await claimsNothing();
      });

      // holds: steps.signal-repeated
      it('that is repeated with its key wakes nothing, and has the answer of the first', async () => {
        const identity = { key: 'a', body: 'digest' };
        const sendOnce = (body = identity.body) =>
          harness.jobSignals.send(queue, 'paid:17', '1', 0, { ...identity, body });
        await wait(await begun());
        expect(await sendOnce()).to.deep.equal({ woken: 1, isRepeated: false });
        await next();
        await wait(await begun());
        expect(await sendOnce()).to.deep.equal({ woken: 1, isRepeated: true });
        expect(await sendOnce('another')).to.equal('other');
        expect(await send(2)).to.equal(1);
      });

      // holds: steps.signal-repeated, steps.signal-kept
      it('that is repeated with its key is kept no longer for it', async () => {
        const identity = { key: 'a', body: 'digest' };
        const sendOnce = () => harness.jobSignals.send(queue, 'paid:17', '1', 50, identity);
        await addOne(harness.queues, queue);
        expect(await sendOnce()).to.deep.equal({ woken: 0, isRepeated: false });
        await harness.advance(60);
        expect(await sendOnce()).to.deep.equal({ woken: 0, isRepeated: true });
        await wait(await next());
        await claimsNothing();
      });

      // holds: steps.signal-queue
      it('for a queue that does not exist wakes nothing, and creates it only to be kept', async () => {
        expect(await send(1)).to.equal(0);
        expect(await harness.queueDirectory.glances([queue])).to.deep.equal([undefined]);
        await send(1, HOUR);
        expect(await harness.jobSignals.forget(queue, 'paid:17')).to.equal(true);
      });
    });

    describeAroundSuspensions(() => harness);
    describeLargeSuspensions(() => harness);

    describe('added jobs', () => {
      const add = (attempt: Attempt, count: number, id: string): Promise<Settled> =>
        suspend(attempt, {
          id,
          added: [
            {
              name: 'ship',
              jobs: Array.from({ length: count }, () => ({ queue: parts, job: jobOf() })),
            },
          ],
        });
      let parts: QueueName;
      beforeEach(() => {
        parts = uniqueQueue();
      });

      // holds: steps.add
      it('are waited for until all have ended, and their ends are the step', async () => {
        const attempt = await begun();
        const id = attempt.token;
        await add(attempt, 3, id);
        expect(await stateOf(attempt.jobId)).to.equal('waiting-children');
        const [one, two, three] = [`${id}-1`, `${id}-2`, `${id}-3`];
        const first = await take(harness.attempts, parts);
        await harness.attempts.settle(parts, first, { kind: 'completed', returnvalue: { ok: 1 } });
        const second = await take(harness.attempts, parts);
        await harness.attempts.settle(parts, second, { kind: 'failed', reason: 'no "stock"' });
        await claimsNothing();
        await harness.jobControl.remove(parts, three);
        const { ship } = stepsOf(await next()) as { ship: readonly object[] };
        expect(ship).to.deep.equal([
          { queue: parts, id: one, state: 'completed', returnvalue: { ok: 1 } },
          { queue: parts, id: two, state: 'failed', failedReason: 'no "stock"' },
          { queue: parts, id: three, state: 'removed' },
        ]);
      });

      // holds: steps.add
      it('are over at once where there are none', async () => {
        await add(await begun(), 0, 'none');
        expect(stepsOf(await next())).to.deep.equal({ ship: [] });
      });

      // holds: steps.add-room
      it('need room in their queue, without which nothing is changed', async () => {
        const attempt = await begun();
        const request = { id: attempt.token, maxWaiting: new Map([[parts, 1]]) };
        const jobs = [jobOf(), jobOf()].map((job) => ({ queue: parts, job }));
        const { refusal } = await suspend(attempt, { ...request, added: [{ name: 'ship', jobs }] });
        expect(refusal?.isFinal).to.equal(false);
        expect(refusal?.reason).to.contain('1 job');
        expect(await harness.attempts.holds(queue, attempt)).to.equal(true);
      });
    });
  });
}
