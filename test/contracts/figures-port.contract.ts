import { expect } from 'chai';
import type { CountedQueue } from '../../src/application/ports/figures-port.ts';
import { figureSeries, type FigureSeries } from '../../src/domain/figures/figure-series.ts';
import {
  beginOf,
  STEPS,
  type FiguresOfStep,
  type Step,
} from '../../src/domain/figures/figure-steps.ts';
import { FigureCounter } from '../../src/domain/figures/figures.ts';
import { FailureGroups } from '../../src/domain/jobs/failures.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import type { QueueHarness } from './queue-harness.ts';
import { addOne, uniqueQueue } from './queue-steps.ts';

const { minute: MINUTE, hour: HOUR } = STEPS;

function counted(completed: number, failed = 0): FigureCounter {
  const counter = new FigureCounter();
  counter.count('added', completed + failed);
  counter.count('completed', completed);
  counter.count('failed', failed);
  for (let call = 0; call < completed; call += 1) counter.called(10, 200);
  for (let call = 0; call < failed; call += 1) counter.called(3000, undefined);
  counter.waited(100);
  return counter;
}

/** When each step began, and how many jobs completed in it, in ascending order. */
function completions(steps: readonly FiguresOfStep[]): readonly (readonly [number, number])[] {
  return steps
    .map(({ at, figures: { counts } }) => [at, counts.completed] as const)
    .toSorted(([at, one], [later, other]) => at - later || one - other);
}

/** What every FiguresPort promises. */
export function describeFiguresPort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`FiguresPort: ${name}`, () => {
    let harness: QueueHarness;
    let queue: QueueName;
    /** When an hour begins in which nothing was counted by another test. */
    let hour: number;

    before(async () => {
      harness = await createHarness();
      hour = beginOf('hour', harness.now()) - 20 * HOUR;
    });
    beforeEach(async () => {
      queue = uniqueQueue();
      hour += HOUR;
      await addOne(harness.queues, queue);
    });
    after(() => harness.dispose());

    function figuresAt(
      at: number,
      minute: FigureCounter,
      others: Partial<CountedQueue> = {},
      untilNow = minute,
    ): CountedQueue {
      return {
        queue,
        source: 'one',
        minute: { at, figures: minute.figures },
        hour: { at: beginOf('hour', at), figures: untilNow.figures },
        failures: [],
        calls: [],
        ...others,
      };
    }

    async function save(
      at: number,
      minute: FigureCounter,
      others: Partial<CountedQueue> = {},
      untilNow = minute,
    ): Promise<void> {
      const figures = figuresAt(at, minute, others, untilNow);
      await harness.figures.save(figures);
      await harness.figures.saveTotal(figures);
    }

    /** As another replica sees it. */
    async function series(
      step: Step,
      first: number,
      last: number,
      of: QueueName | undefined = queue,
    ): Promise<FigureSeries> {
      const range = { step, first, last };
      const { figures } = await harness.replica();
      return figureSeries(range, await figures.read(of, range));
    }

    // holds: figures.steps, figures.gaps
    it('returns what was counted by minute, and null for minutes that nobody counted', async () => {
      await save(hour, counted(3, 1));
      await save(hour + 2 * MINUTE, new FigureCounter());
      const { completed, failed, callMs, waitMs, status, retried } = await series(
        'minute',
        hour - MINUTE,
        hour + 2 * MINUTE,
      );
      expect(completed).to.deep.equal([null, 3, null, 0]);
      expect(failed).to.deep.equal([null, 1, null, 0]);
      expect(retried).to.deep.equal([null, 0, null, 0]);
      expect(callMs.p50).to.deep.equal([null, 10, null, null]);
      expect(callMs.p99[1]).to.be.within(2940, 3060);
      expect(waitMs.p95[1]).to.be.within(98, 102);
      expect(status).to.deep.include({ '2xx': [null, 3, null, 0], none: [null, 1, null, 0] });
    });

    // holds: figures.replicas
    it('adds up what several replicas counted, exactly', async () => {
      await save(hour, counted(3));
      await save(hour, counted(4, 2), { source: 'two' });
      await save(hour, counted(5, 2), { source: 'two' });
      const { completed, failed, status } = await series('minute', hour, hour);
      expect([completed, failed, status['2xx']]).to.deep.equal([[8], [2], [8]]);
    });

    // holds: figures.steps
    it('keeps hours beside minutes', async () => {
      await save(hour, counted(3));
      await save(hour + 59 * MINUTE, counted(2), {}, counted(5));
      await save(hour + HOUR, counted(1));
      const { completed } = await series('hour', hour - HOUR, hour + HOUR);
      expect(completed.slice(1)).to.deep.equal([5, 1]);
      hour += HOUR;
    });

    // holds: figures.all
    it('keeps those of all queues together', async () => {
      await save(hour, counted(3));
      await save(hour + MINUTE, counted(4));
      const { completed } = await series('minute', hour, hour + 2 * MINUTE, undefined);
      expect(completed).to.deep.equal([3, 4, null]);
    });

    // holds: figures.backlog
    it('returns what waited at the end of minutes, and null where nobody looked', async () => {
      const backlog = { waiting: 7, oldestWaiting: 1500 };
      for (const at of [hour, hour + MINUTE, hour + 2 * MINUTE]) {
        await save(at, new FigureCounter());
      }
      const { figures } = harness;
      await figures.saveSample({ at: hour, total: backlog, queues: [{ queue, backlog }] });
      const nothing = { waiting: 0, oldestWaiting: null };
      await figures.saveSample({ at: hour + MINUTE, total: nothing, queues: [] });
      const minutes = await series('minute', hour, hour + 2 * MINUTE);
      expect(minutes.waiting).to.deep.equal([7, 0, null]);
      expect(minutes.oldestWaiting).to.deep.equal([1500, null, null]);
      const hours = await series('hour', hour, hour);
      expect([hours.waiting, hours.oldestWaiting]).to.deep.equal([[0], [null]]);
      const all = await series('minute', hour, hour, undefined);
      expect([all.waiting, all.oldestWaiting]).to.deep.equal([[7], [1500]]);
    });

    it('lets one caller sample a minute', async () => {
      const other = (await harness.replica()).figures;
      const claims = [harness.figures.claimSample(hour), other.claimSample(hour)];
      expect((await Promise.all(claims)).filter(Boolean)).to.have.length(1);
      expect(await other.claimSample(hour + MINUTE)).to.equal(true);
    });

    // holds: figures.recent
    it('reads the latest minutes of several queues', async () => {
      const other = uniqueQueue();
      await addOne(harness.queues, other);
      await save(hour, counted(1));
      await save(hour + MINUTE, counted(2));
      await save(hour + MINUTE, counted(3), { queue: other });
      const { figures } = await harness.replica();
      const recent = await figures.recent([queue, other, uniqueQueue()], 'minute', hour + MINUTE);
      expect(recent.map(completions)).to.deep.equal([
        [[hour + MINUTE, 2]],
        [[hour + MINUTE, 3]],
        [],
      ]);
      expect(await figures.countedSince(hour + MINUTE)).to.include.members([queue, other]);
      expect(await figures.countedSince(hour + HOUR)).not.to.include(queue);
    });

    // holds: figures.failing
    it('reads the latest hours of several queues, as far as these are together', async () => {
      const other = uniqueQueue();
      await addOne(harness.queues, other);
      await save(hour - HOUR, counted(9));
      await save(hour, counted(1));
      await save(hour, counted(4), { source: 'two' });
      await save(hour + HOUR, counted(2));
      await save(hour + HOUR, counted(3), { queue: other });
      await save(hour + 24 * HOUR, counted(8));
      const { figures } = await harness.replica();
      const recent = await figures.recent([queue, other, uniqueQueue()], 'hour', hour);
      expect(recent.map(completions)).to.deep.equal([
        [
          [hour, 1],
          [hour, 4],
          [hour + HOUR, 2],
        ],
        [[hour + HOUR, 3]],
        [],
      ]);
      hour += HOUR;
    });

    // holds: figures.failing
    it('finds the queues of which jobs failed', async () => {
      const failures = new FailureGroups();
      failures.add({ id: '1', reason: 'It is away', status: undefined, failedAt: hour });
      await save(hour, counted(0, 1), { failures: failures.all() });
      const { figures } = await harness.replica();
      expect(await figures.failedSince(hour)).to.include(queue);
      expect(await figures.failedSince(hour + HOUR)).not.to.include(queue);
      const completed = uniqueQueue();
      await addOne(harness.queues, completed);
      await save(hour, counted(1), { queue: completed });
      expect(await figures.failedSince(hour)).not.to.include(completed);
      const among = [completed, queue, uniqueQueue()];
      expect(await figures.failedSince(hour, among)).to.deep.equal([queue]);
      expect(await figures.failedSince(hour + HOUR, among)).to.deep.equal([]);
      expect(await figures.failedSince(hour, [])).to.deep.equal([]);
    });

    // holds: failures.all
    it('reads why jobs failed of late', async () => {
      const groups = new FailureGroups();
      groups.add({ id: '1', reason: 'Order 17 is unknown', status: 404, failedAt: hour + 5 });
      groups.add({ id: '2', reason: 'Order 18 is unknown', status: 404, failedAt: hour + 6 });
      const failures = groups.all();
      await save(hour + MINUTE, counted(0, 2), { failures });
      const { figures } = await harness.replica();
      const own = (await figures.failures(hour)).filter((each) => each.queue === queue);
      expect(own).to.deep.equal([{ queue, failures }]);
      const later = await figures.failures(hour + 2 * MINUTE);
      expect(later.filter((each) => each.queue === queue)).to.deep.equal([]);
    });

    // holds: calls.latest
    it('keeps the latest calls of each source', async () => {
      const call = {
        job: '17',
        attempt: 1,
        startedAt: hour,
        durationMs: 5,
        status: null,
        outcome: 'refused',
        reason: 'it is away',
        replica: 'host:1',
      };
      const other = { ...call, job: '18', replica: 'host:2' };
      await save(hour, counted(1), { calls: [call, call] });
      await save(hour, counted(1), { calls: [call] });
      await save(hour, counted(1));
      await save(hour, counted(1), { calls: [other], source: 'two' });
      const { figures } = await harness.replica();
      expect(await figures.calls(queue)).to.have.deep.members([call, other]);
      expect(await figures.calls(uniqueQueue())).to.deep.equal([]);
    });

    it('keeps nothing of a queue that is removed, and stores nothing for one that is gone', async () => {
      await save(hour, counted(3));
      await harness.queueControl.remove(queue, true);
      await harness.figures.save(figuresAt(hour + MINUTE, counted(3)));
      await addOne(harness.queues, queue);
      const { figures } = await harness.replica();
      const read = await figures.read(queue, { step: 'minute', first: hour, last: hour + MINUTE });
      expect(read.figures).to.deep.equal([]);
    });
  });
}
