import { expect } from 'chai';
import type { Attempt } from '../../../src/domain/attempts/attempt.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { SuspensionRequest } from '../../../src/domain/steps/suspension-request.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addOne,
  ANY,
  COMPLETED,
  countsOf,
  jobOf,
  NO_JOBS,
  take,
  uniqueQueue,
} from '../queue-steps.ts';

const TERMS = { ...ANY, wantsSteps: true };

/** So many jobs of so many characters are more than one step stores. */
const MANY = 130;
const DATA = 'x'.repeat(10_000);

/** What suspensions promise that add many jobs, or to groups. */
export function describeLargeSuspensions(harnessOf: () => QueueHarness): void {
  describe('a suspension that adds', () => {
    let harness: QueueHarness;
    let queue: QueueName;
    let parts: QueueName;

    beforeEach(() => {
      harness = harnessOf();
      [queue, parts] = [uniqueQueue(), uniqueQueue()];
    });

    const begun = async (): Promise<Attempt> => {
      await addOne(harness.queues, queue);
      return take(harness.attempts, queue, TERMS);
    };
    const jobsOf = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        queue: parts,
        job: jobOf({}, { index, text: DATA }),
      }));
    const requestOf = (
      attempt: Attempt,
      request: Partial<SuspensionRequest>,
    ): SuspensionRequest => ({
      ...{ steps: [], sleeps: [], signals: [], added: [], maxWaiting: new Map() },
      id: attempt.token,
      ...request,
    });
    const suspend = (attempt: Attempt, request: Partial<SuspensionRequest>) => {
      const ending = { kind: 'suspended', request: requestOf(attempt, request) } as const;
      return harness.attempts.settle(queue, attempt, ending);
    };

    // holds: steps.add-large
    it('large jobs has all of new names, and none of a name that is saved', async () => {
      const attempt = await begun();
      await harness.steps.save(queue, attempt, { name: 'known', value: '1' });
      const added = [
        { name: 'known', jobs: jobsOf(30) },
        { name: 'ship', jobs: jobsOf(MANY) },
      ];
      expect(await suspend(attempt, { added })).to.deep.equal({ held: true });
      expect(await countsOf(harness.queues, parts)).to.include({ waiting: MANY });
      const { jobs = [] } = (await harness.steps.awaited(queue, attempt.jobId)) ?? {};
      expect(jobs).to.have.lengthOf(MANY);
      for (const index of [0, MANY - 1]) {
        const job = await harness.queues.find(parts, jobs[index]?.id ?? '');
        expect(job).to.deep.include({ state: 'waiting', data: { index, text: DATA } });
      }
      for (let index = 0; index < MANY; index += 1) {
        const child = await take(harness.attempts, parts);
        expect(child.job.data).to.deep.equal({ index, text: DATA });
        await harness.attempts.settle(parts, child, COMPLETED);
      }
      const { steps = [] } = await take(harness.attempts, queue, TERMS);
      expect(steps.map(({ name }) => name)).to.deep.equal(['known', 'ship']);
    });

    // holds: steps.add-large
    it('large jobs can be reported, and the report repeated', async () => {
      const attempt = await begun();
      const request = requestOf(attempt, { added: [{ name: 'ship', jobs: jobsOf(MANY) }] });
      const report = () => harness.steps.suspend(queue, attempt, request);
      expect([await report(), await report()]).to.deep.equal(['recorded', 'repeated']);
      expect(await countsOf(harness.queues, parts)).to.include({ waiting: MANY });
      const lost = { ...attempt, token: 'another' };
      expect(await harness.steps.suspend(queue, lost, request)).to.equal('refused');
    });

    // holds: steps.add-large, steps.add-room
    it('large jobs adds none where it is refused, and all once it is not', async () => {
      const attempt = await begun();
      const added = [{ name: 'ship', jobs: jobsOf(MANY) }];
      const maxWaiting = new Map([[parts, MANY - 1]]);
      const { refusal } = await suspend(attempt, { added, maxWaiting });
      expect(refusal?.reason).to.contain('The queue is full');
      expect(await countsOf(harness.queues, parts)).to.deep.equal(NO_JOBS);
      expect(await harness.attempts.holds(queue, attempt)).to.equal(true);
      expect(await suspend(attempt, { added })).to.deep.equal({ held: true });
      expect(await countsOf(harness.queues, parts)).to.include({ waiting: MANY });
    });

    // holds: steps.add-room
    it('jobs to a group needs room there, as an add does', async () => {
      const attempt = await begun();
      const group = { id: 'acme' };
      await addOne(harness.queues, parts, { group });
      const job = { queue: parts, job: jobOf({ group }) };
      const maxWaitingOfGroup = new Map([[parts, 2]]);
      const refused = await suspend(attempt, {
        added: [
          { name: 'one', jobs: [job] },
          { name: 'ship', jobs: [{ queue: parts, job: jobOf() }, job] },
        ],
        maxWaitingOfGroup,
      });
      expect(refused.refusal).to.deep.equal({
        reason: 'add.ship[1].opts.group acme has 2 waiting jobs',
        isFinal: false,
      });
      const added = [{ name: 'one', jobs: [job] }];
      expect(await suspend(attempt, { added, maxWaitingOfGroup })).to.deep.equal({ held: true });
      await harness.groups.saveSettings(parts, 'acme', { maxWaiting: 2 });
      const other = await begun();
      const { refusal } = await suspend(other, { added });
      expect(refusal?.reason).to.equal('add.one[0].opts.group acme has 2 waiting jobs');
    });
  });
}
