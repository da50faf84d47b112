import { expect } from 'chai';
import type { Attempt } from '../../../src/domain/attempts/attempt.ts';
import type { Settled } from '../../../src/domain/attempts/ending.ts';
import type { GroupDefaults } from '../../../src/domain/groups/group-settings.ts';
import type { JobOptionsInput } from '../../../src/domain/jobs/job-options.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { SuspensionRequest } from '../../../src/domain/steps/suspension-request.ts';
import type { QueueHarness } from '../queue-harness.ts';
import { addOne, ANY, claimOf, HOUR, jobOf, take, uniqueQueue } from '../queue-steps.ts';

const TERMS = { ...ANY, wantsSteps: true };
const NOTHING: SuspensionRequest = {
  steps: [],
  sleeps: [],
  signals: [],
  added: [],
  id: 'added',
  maxWaiting: new Map(),
};
const REST = { sleeps: [{ name: 'rest', duration: HOUR }] };
const WAIT = { signals: [{ name: 'paid', key: 'paid:17' }] };
const PAGE = { start: 0, length: 10 };
const CALL = { outcome: 'suspended', status: 206 } as const;
const COMPLETED = { kind: 'completed', returnvalue: null } as const;

/** What suspended jobs promise with what else happens to jobs: removal, retries, groups, events. */
export function describeAroundSuspensions(harnessOf: () => QueueHarness): void {
  describe('a suspended job', () => {
    let harness: QueueHarness;
    let queue: QueueName;

    beforeEach(() => {
      harness = harnessOf();
      queue = uniqueQueue();
    });

    const begun = async (opts: JobOptionsInput = {}): Promise<Attempt> => {
      await addOne(harness.queues, queue, opts);
      return next();
    };
    const next = (terms = TERMS): Promise<Attempt> => take(harness.attempts, queue, terms);
    const suspend = async (
      attempt: Attempt,
      request: Partial<SuspensionRequest>,
    ): Promise<void> => {
      const whole = { ...NOTHING, id: attempt.token, ...request };
      const ending = { kind: 'suspended', request: whole, call: CALL } as const;
      expect(await harness.attempts.settle(queue, attempt, ending)).to.deep.equal({ held: true });
    };
    /** Saves a step, and claims in the place of its attempt. */
    const goesOn = (
      attempt: Attempt,
      step: string,
      concurrency = TERMS.concurrency,
    ): Promise<Settled> => {
      const request = { ...NOTHING, steps: [{ name: step, value: '1' }] };
      const ending = { kind: 'suspended', request, call: CALL } as const;
      return harness.attempts.settle(queue, attempt, ending, claimOf({ ...TERMS, concurrency }));
    };
    const namesOf = ({ steps = [] }: Attempt): readonly string[] => steps.map(({ name }) => name);
    const waitingFor = async (): Promise<number> =>
      (await harness.jobSignals.list(queue, PAGE)).total;
    const send = async (): Promise<number> => {
      const sent = await harness.jobSignals.send(queue, 'paid:17', '1', 0);
      return sent === 'other' ? NaN : sent.woken;
    };

    // holds: steps.wake
    it('goes on as no attempt of its own, after steps alone too', async () => {
      const attempt = await begun();
      expect(attempt.isWake).to.equal(undefined);
      await suspend(attempt, { steps: [{ name: 'one', value: '1' }] });
      const again = await next();
      expect(again.isWake).to.equal(true);
      await suspend(again, WAIT);
      await send();
      expect((await next()).isWake).to.equal(true);
    });

    // holds: steps.wake
    it('goes on as none when its call is put back, or its claim repeated', async () => {
      await suspend(await begun(), { steps: [{ name: 'one', value: '1' }] });
      await harness.attempts.release(queue, await next());
      const request = claimOf(TERMS);
      await harness.attempts.claim(queue, request);
      const claimed = await harness.attempts.claim(queue, { ...request, isRepeated: true });
      const again = claimed.kind === 'attempt' ? claimed.attempt : undefined;
      expect([again?.isWake, namesOf(again as Attempt)]).to.deep.equal([true, ['one']]);
    });

    // holds: steps.alone
    it('for steps alone goes ahead of those of its priority', async () => {
      const attempt = await begun({ priority: 5 });
      await addOne(harness.queues, queue, { priority: 5 });
      await suspend(attempt, { steps: [{ name: 'one', value: '1' }] });
      expect((await next()).jobId).to.equal(attempt.jobId);
    });

    // holds: steps.alone
    it('for steps alone goes on in the claim beside it, with others of one moment', async () => {
      let attempts = [await begun(), await begun(), await begun()];
      const ids = attempts.map(({ jobId }) => jobId);
      await addOne(harness.queues, queue);
      for (const step of ['one', 'two']) {
        const settled = await Promise.all(attempts.map((each) => goesOn(each, step)));
        attempts = settled.flatMap(({ next }) => (next?.kind === 'attempt' ? [next.attempt] : []));
      }
      expect(attempts.map(({ jobId }) => jobId)).to.have.members(ids);
      expect(attempts.map(namesOf)).to.deep.equal(ids.map(() => ['one', 'two']));
      expect(attempts.map(({ deferrals, isWake }) => [deferrals, isWake])).to.deep.equal(
        ids.map(() => [undefined, true]),
      );
    });

    // holds: steps.alone
    it('for steps alone waits ahead of others where the claim beside it gets no job', async () => {
      const attempt = await begun();
      await begun();
      await addOne(harness.queues, queue);
      const { held, next: claimed } = await goesOn(attempt, 'one', 1);
      expect([held, claimed?.kind]).to.deep.equal([true, 'idle']);
      expect(namesOf(await next())).to.deep.equal(['one']);
    });

    // holds: steps.alone
    it('for steps alone waits behind a job whose delay elapsed', async () => {
      const attempt = await begun();
      const due = await addOne(harness.queues, queue, { delay: 1000 });
      await harness.advance(1001);
      const { next: claimed } = await goesOn(attempt, 'one');
      expect(claimed?.kind === 'attempt' && claimed.attempt.jobId).to.equal(due.id);
      expect((await next()).jobId).to.equal(attempt.jobId);
    });

    it('may be suspended in the claim of the next job', async () => {
      const attempt = await begun();
      const other = await addOne(harness.queues, queue);
      const ending = { kind: 'suspended', request: { ...NOTHING, ...REST } } as const;
      const settled = await harness.attempts.settle(queue, attempt, ending, claimOf(TERMS));
      const claimed = settled.next?.kind === 'attempt' ? settled.next.attempt.jobId : undefined;
      expect(claimed).to.equal(other.id);
    });

    // holds: steps.removal
    it('takes its waits along when it is removed, drained or ends with its queue', async () => {
      const attempt = await begun();
      await suspend(attempt, WAIT);
      expect(await waitingFor()).to.equal(1);
      await harness.jobControl.remove(queue, attempt.jobId);
      expect(await waitingFor()).to.equal(0);
      await suspend(await begun(), WAIT);
      await harness.queueControl.drain(queue, { delayed: true });
      expect(await waitingFor()).to.equal(0);
      await suspend(await begun(), WAIT);
      await harness.queueControl.remove(queue, false);
      expect(await waitingFor()).to.equal(0);
      expect(await send()).to.equal(0);
    });

    // holds: steps.promote
    it('that was promoted waits for no signal any more', async () => {
      const attempt = await begun();
      await suspend(attempt, WAIT);
      await harness.jobControl.promote(queue, attempt.jobId);
      expect(await send()).to.equal(0);
      expect((await next()).steps).to.deep.equal([{ name: 'paid', value: 'null' }]);
    });

    // holds: steps.signal-delivered
    it('that is cancelled keeps the signal that came', async () => {
      const attempt = await begun();
      const signals = [...WAIT.signals, { name: 'sent', key: 'sent:17' }];
      await suspend(attempt, { signals });
      expect(await send()).to.equal(1);
      await harness.jobControl.cancel(queue, attempt.jobId, { reason: 'no more' });
      await harness.jobControl.retry(queue, attempt.jobId, {});
      expect(namesOf(await next())).to.deep.equal(['paid']);
    });

    // holds: steps.retry
    it('that ended keeps its steps for a retry, unless that forgets them', async () => {
      const attempt = await begun();
      await suspend(attempt, { steps: [{ name: 'one', value: '1' }] });
      await harness.attempts.settle(queue, await next(), COMPLETED);
      await harness.jobControl.retry(queue, attempt.jobId, {});
      const again = await next();
      expect(namesOf(again)).to.deep.equal(['one']);
      await harness.attempts.settle(queue, again, COMPLETED);
      await harness.jobControl.retry(queue, attempt.jobId, { steps: 'forget' });
      expect((await next()).steps).to.equal(undefined);
      expect(await harness.steps.list(queue, attempt.jobId)).to.deep.equal([]);
    });

    // holds: steps.erase
    it('that ended loses its steps with its payload', async () => {
      const attempt = await begun();
      await suspend(attempt, { steps: [{ name: 'one', value: '1' }] });
      await harness.attempts.settle(queue, await next(), COMPLETED);
      await harness.redaction.redactBeyond([{ queue, keep: 0 }]);
      expect(await harness.steps.list(queue, attempt.jobId)).to.deep.equal([]);
    });

    // holds: steps.repair, steps.shown
    it('shows what is over before it goes on, and what was removed is not awaited again', async () => {
      const attempt = await begun();
      const sleeps = [
        { name: 'short', duration: 10 },
        { name: 'long', duration: 100 },
      ];
      await suspend(attempt, { sleeps });
      await harness.advance(20);
      const shown = await harness.steps.list(queue, attempt.jobId);
      expect(shown?.map(({ name, kind }) => [name, kind])).to.deep.equal([['short', 'sleep']]);
      expect(await harness.steps.remove(queue, attempt.jobId, 'short')).to.deep.equal({
        kind: 'done',
      });
      expect(await harness.steps.list(queue, attempt.jobId)).to.deep.equal([]);
      await harness.advance(100);
      expect(namesOf(await next())).to.deep.equal(['long']);
    });

    // holds: steps.bounds
    it('fails without a call when what came makes its steps too many', async () => {
      const attempt = await begun();
      const value = JSON.stringify('x'.repeat(256 * 1024 - 2));
      const steps = ['a', 'b', 'c', 'd'].map((name) => ({ name, value }));
      await suspend(attempt, { steps, ...WAIT });
      await send();
      expect((await next()).mustFail).to.equal('Steps exceed 1 MB');
    });

    // holds: steps.attempts
    it('leaves the saved steps of an attempt that stalled on record', async () => {
      const attempt = await begun();
      await harness.attempts.settle(queue, attempt, {
        kind: 'retry',
        reason: 'down',
        delay: 0,
        call: { outcome: 'failed' },
      });
      const again = await next({ ...TERMS, lockDuration: 20 });
      await harness.steps.save(queue, again, { name: 'one', value: '1' });
      await harness.advance(40);
      await harness.attempts.recoverStalled(queue, 10);
      await harness.advance(20);
      await harness.attempts.recoverStalled(queue, 10);
      const found = await harness.queues.attempts(queue, attempt.jobId);
      const shown = found?.attempts.map(({ outcome, saved }) => [outcome, saved]);
      expect(shown).to.deep.equal([
        ['failed', undefined],
        ['stalled', ['one']],
      ]);
    });

    // holds: steps.delay
    it('goes on once a new delay has elapsed, as at the end of what it awaits', async () => {
      const attempt = await begun();
      await suspend(attempt, { sleeps: [{ name: 'rest', duration: 50 }], ...WAIT });
      const before = harness.now();
      await harness.jobControl.change(queue, attempt.jobId, { delay: 400 });
      const { waits = [] } = (await harness.steps.awaited(queue, attempt.jobId)) ?? {};
      const ends = waits.map((wait) => (wait.kind === 'jobs' ? undefined : wait.until));
      expect(ends).to.have.lengthOf(2);
      for (const end of ends) expect(end).to.be.within(before + 390, harness.now() + 400);
      await harness.advance(100);
      expect((await harness.attempts.claim(queue, claimOf(TERMS))).kind).to.equal('idle');
      await harness.advance(310);
      const { steps = [] } = await next();
      const values = new Map(steps.map(({ name, value }) => [name, JSON.parse(value) as unknown]));
      expect(values.get('paid')).to.equal(null);
      expect(values.get('rest')).to.equal(ends[0]);
      expect(await send()).to.equal(0);
    });

    // holds: steps.shown
    it('has no delay where it waits as long as it takes, and the time of its end otherwise', async () => {
      const attempt = await begun();
      const delayOf = async () => (await harness.queues.find(queue, attempt.jobId))?.delay;
      const sent = { name: 'sent', key: 'sent:17', timeout: HOUR };
      await suspend(attempt, { signals: [...WAIT.signals, sent] });
      expect(await delayOf()).to.equal(0);
      await send();
      expect(await delayOf()).to.be.within(HOUR - 1000, HOUR);
    });

    // holds: steps.event
    it('is an event, with what it awaits', async () => {
      const attempt = await begun();
      await suspend(attempt, { steps: [{ name: 'one', value: '1' }] });
      await suspend(await next(), WAIT);
      await send();
      const before = harness.now();
      await suspend(await next(), REST);
      const { events } = await harness.events.read(queue, '0-0');
      expect(events.filter(({ name }) => name === 'delayed')).to.deep.equal([]);
      const [first, second, third] = events.flatMap((event) =>
        event.name === 'suspended' ? [event.data] : [],
      );
      expect(first).to.include({ jobId: attempt.jobId, until: null });
      expect(first?.steps).to.deep.equal(['paid']);
      expect(second?.steps).to.deep.equal(['rest']);
      expect(second?.until).to.be.within(before + HOUR, harness.now() + HOUR);
      expect(third).to.equal(undefined);
    });

    describe('of an ordered group', () => {
      const groups: GroupDefaults = { ordered: 'skip' };
      const ordered = { ...TERMS, groups };
      const group = { id: 'a' };
      const started = async (): Promise<Attempt> => {
        await addOne(harness.queues, queue, { group });
        await addOne(harness.queues, queue, { group });
        return next(ordered);
      };
      const isHeld = async (): Promise<boolean> =>
        (await harness.attempts.claim(queue, claimOf(ordered))).kind === 'idle';

      // holds: steps.groups
      it('holds its group until a signal comes, and goes on before the others', async () => {
        const attempt = await started();
        await suspend(attempt, WAIT);
        expect(await isHeld()).to.equal(true);
        await send();
        expect((await next(ordered)).jobId).to.equal(attempt.jobId);
        expect(await isHeld()).to.equal(true);
      });

      // holds: steps.groups
      it('holds its group while it waits for jobs', async () => {
        const attempt = await started();
        const parts = uniqueQueue();
        const added = [{ name: 'ship', jobs: [{ queue: parts, job: jobOf() }] }];
        await suspend(attempt, { added });
        expect(await isHeld()).to.equal(true);
        const part = await take(harness.attempts, parts);
        await harness.attempts.settle(parts, part, COMPLETED);
        expect((await next(ordered)).jobId).to.equal(attempt.jobId);
      });

      it('goes ahead of the others for steps alone', async () => {
        const attempt = await started();
        await suspend(attempt, { steps: [{ name: 'one', value: '1' }] });
        expect((await next(ordered)).jobId).to.equal(attempt.jobId);
      });
    });

    // holds: steps.erase
    it('loses the value of a signal that came to an erasure by data, and goes on awaiting another', async () => {
      const attempt = await begun();
      await suspend(attempt, { signals: [...WAIT.signals, { name: 'sent', key: 'sent:17' }] });
      await harness.jobSignals.send(queue, 'paid:17', '{"customer":17}', 0);
      const fields = [{ path: ['customer'], value: 17 }];
      const jobs = { erased: [], others: [attempt.jobId] };
      const forgotten = await harness.erasure.forgetSteps(queue, jobs, { kind: 'data', fields });
      expect(forgotten).to.deep.equal({ steps: 1, signals: 0 });
      await harness.jobSignals.send(queue, 'sent:17', '1', 0);
      expect((await next()).steps).to.deep.equal([
        { name: 'paid', value: 'null' },
        { name: 'sent', value: '1' },
      ]);
    });

    // holds: steps.signal-pieces
    it('is woken by a large signal, though another comes to it meanwhile', async () => {
      const count = 40;
      const jobs = Array.from({ length: count + 1 }, () => jobOf());
      await harness.queues.add(queue, jobs);
      const last = await next();
      for (let index = 1; index < count; index += 1) await suspend(await next(), WAIT);
      await suspend(last, { signals: [...WAIT.signals, { name: 'sent', key: 'sent:17' }] });
      const later = await next();
      const body = JSON.stringify('x'.repeat(60_000));
      const sending = harness.jobSignals.send(queue, 'paid:17', body, 0);
      await suspend(later, WAIT);
      await harness.jobSignals.send(queue, 'sent:17', '1', 0);
      await sending;
      const steps = await harness.steps.list(queue, last.jobId);
      expect(steps?.map(({ name }) => name)).to.have.members(['paid', 'sent']);
    });

    // holds: steps.signal-pieces
    it('is woken with many others, each once, by a signal with a large body', async () => {
      const body = JSON.stringify('x'.repeat(60_000));
      const count = 40;
      await harness.queues.add(
        queue,
        Array.from({ length: count }, () => jobOf()),
      );
      const ids = new Set<string>();
      for (let index = 0; index < count; index += 1) await suspend(await next(), WAIT);
      expect(await harness.jobSignals.send(queue, 'paid:17', body, 0)).to.include({ woken: count });
      for (let index = 0; index < count; index += 1) ids.add((await next()).jobId);
      expect(ids.size).to.equal(count);
      expect((await harness.attempts.claim(queue, claimOf(TERMS))).kind).to.equal('idle');
    });
  });
}
