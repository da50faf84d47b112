import { expect } from 'chai';
import { REMEMBERED_FOR, type AddIdentity } from '../../../src/domain/jobs/add-identity.ts';
import type { JobOptionsInput } from '../../../src/domain/jobs/job-options.ts';
import { newJob, type AddedJob, type NewJob } from '../../../src/domain/jobs/job.ts';
import type { PolicyDefaults } from '../../../src/domain/policies/policy.ts';
import { newJobs } from '../../../src/domain/jobs/made-jobs.ts';
import type { AddedOnce, RepeatableJobs } from '../../../src/application/ports/queue-port.ts';
import type { QueueHarness } from '../queue-harness.ts';
import {
  addOne,
  COMPLETED,
  countsOf,
  factsOf,
  jobOf,
  NO_JOBS,
  pausedIn,
  process,
  read,
  repeatable,
  take,
  uniqueQueue,
} from '../queue-steps.ts';
import { isVolumePlayedOn } from '../played-on.ts';

const FIRST: AddIdentity = { key: 'key-1', body: 'body-1' };

const EVERY_PLACE: readonly JobOptionsInput[] = [
  {},
  { jobId: 'mine', attempts: 3, backoff: { type: 'fixed', delay: 5 } },
  { delay: 60_000 },
  { priority: 7 },
];

function batch(size: number): NewJob[] {
  return Array.from({ length: size }, (_, n) => newJob({ name: 'work', data: { n } }, ''));
}

function madeWith(size: number, defaults: PolicyDefaults): RepeatableJobs {
  const input = { name: 'work', data: null, opts: { priority: 3 } };
  const inputs = Array.from({ length: size }, () => input);
  return { jobs: newJobs(inputs, defaults, undefined), defaults, inputs };
}

function jobsIn(outcome: AddedOnce): readonly AddedJob[] {
  if (!('jobs' in outcome)) throw new Error(`The outcome is ${outcome.kind}`);
  return outcome.jobs;
}

export function describeAddingOnce(harness: () => QueueHarness, store: string): void {
  describe('adding jobs once', () => {
    // holds: sqs.moves-cancelled
    it('adds nothing as part of an attempt that no longer holds its job', async () => {
      const { queues, attempts, jobControl } = harness();
      const [queue, tasks] = [uniqueQueue(), uniqueQueue('tasks')];
      await addOne(queues, tasks);
      const partOf = { queue: tasks, attempt: await take(attempts, tasks) };
      const add = (key: string) =>
        queues.addOnce(queue, repeatable([jobOf()]), { key, body: '' }, partOf);
      expect((await add('held')).kind).to.equal('added');
      await jobControl.cancel(tasks, partOf.attempt.jobId, { reason: 'Cancelled' });
      expect(await add('lost')).to.deep.equal({ kind: 'lost' });
      expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, waiting: 1 });
    });

    // holds: idempotency.replay
    it('adds the first time, and answers a repeat with the same jobs', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      await addOne(queues, queue);
      const jobs = EVERY_PLACE.map((opts) => jobOf(opts, { to: 'a@b' }));
      const first = await queues.addOnce(queue, repeatable(jobs), FIRST);
      expect(first.kind).to.equal('added');
      const counts = await countsOf(queues, queue);
      expect(counts).to.deep.equal({ ...NO_JOBS, waiting: 3, prioritized: 1, delayed: 1 });
      for (const job of jobsIn(first)) {
        const stored = await read(queues, queue, job.id);
        expect(factsOf({ ...stored, stacktrace: null })).to.deep.equal(factsOf(job));
      }

      const { queues: others } = await harness().replica();
      await harness().advance(5000);
      const repeat = await others.addOnce(queue, repeatable(jobs), FIRST);
      expect(repeat).to.deep.equal({ kind: 'repeated', jobs: jobsIn(first) });
      expect(await countsOf(queues, queue)).to.deep.equal(counts);
    });

    // holds: idempotency.other-body
    it('refuses another body, and adds nothing', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      await queues.addOnce(queue, repeatable([jobOf()]), FIRST);
      const other = await queues.addOnce(queue, repeatable([jobOf()]), {
        ...FIRST,
        body: 'body-2',
      });
      expect(other).to.deep.equal({ kind: 'other' });
      expect((await countsOf(queues, queue))['waiting']).to.equal(1);
    });

    // holds: idempotency.scope
    it('adds for another key, and in another queue', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      await queues.addOnce(queue, repeatable([jobOf()]), FIRST);
      expect(
        (await queues.addOnce(queue, repeatable([jobOf()]), { ...FIRST, key: 'key-2' })).kind,
      ).to.equal('added');
      expect((await queues.addOnce(uniqueQueue(), repeatable([jobOf()]), FIRST)).kind).to.equal(
        'added',
      );
      expect((await countsOf(queues, queue))['waiting']).to.equal(2);
    });

    // holds: idempotency.replay
    it('answers with the jobs as they were added, whatever became of them', async () => {
      const { queues, attempts, jobControl } = harness();
      const queue = uniqueQueue();
      const jobs = [jobOf(), jobOf({ jobId: 'changed' }), jobOf()];
      const first = await queues.addOnce(queue, repeatable(jobs), FIRST);
      await jobControl.change(queue, 'changed', { data: 'new' });
      await jobControl.remove(queue, jobsIn(first)[2]?.id ?? '');
      await process(attempts, queue, COMPLETED);
      expect(await queues.addOnce(queue, repeatable(jobs), FIRST)).to.deep.equal({
        kind: 'repeated',
        jobs: jobsIn(first),
      });
    });

    for (const size of [2, 1500]) {
      // holds: idempotency.policy
      it(`answers ${size} jobs with the defaults that they were added with`, async () => {
        const { queues } = harness();
        const queue = uniqueQueue();
        const defaults = { attempts: 3, backoff: { type: 'linear', delay: 5 } } as const;
        const first = jobsIn(await queues.addOnce(queue, madeWith(size, defaults), FIRST));
        expect(first[0]?.opts).to.deep.equal({ ...defaults, delay: 0, priority: 3 });
        for (const later of [{}, { attempts: 9, ttl: 7 }]) {
          const repeat = await queues.addOnce(queue, madeWith(size, later), FIRST);
          expect(repeat).to.deep.equal({ kind: 'repeated', jobs: first });
        }
      });
    }

    // holds: idempotency.policy
    it('recalls an add that is remembered, and adds nothing', async () => {
      const { queues, queueDirectory } = harness();
      const queue = uniqueQueue();
      const add = madeWith(1, { attempts: 3 });
      expect(await queues.recall(queue, add, FIRST)).to.equal(undefined);
      expect(await pausedIn(queueDirectory, queue)).to.equal(undefined);
      const first = jobsIn(await queues.addOnce(queue, add, FIRST));
      expect(await queues.recall(queue, madeWith(1, {}), FIRST)).to.deep.equal({
        kind: 'repeated',
        jobs: first,
      });
      const other = await queues.recall(queue, add, { ...FIRST, body: 'body-2' });
      expect(other).to.deep.equal({ kind: 'other' });
      expect(await queues.recall(queue, add, { ...FIRST, key: 'key-2' })).to.equal(undefined);
      expect((await countsOf(queues, queue))['prioritized']).to.equal(1);
    });

    // holds: idempotency.existing
    it('answers with jobs that had existed as they are, or by their ids', async () => {
      const { queues, jobControl } = harness();
      const queue = uniqueQueue();
      await queues.add(queue, [jobOf({ jobId: 'kept' }, 1), jobOf({ jobId: 'gone' }, 2)]);
      const jobs = [jobOf({ jobId: 'kept' }), jobOf(), jobOf({ jobId: 'gone' }), jobOf()];
      const first = jobsIn(await queues.addOnce(queue, repeatable(jobs), FIRST));
      expect(first.map(({ data }) => data)).to.deep.equal([1, null, 2, null]);
      await jobControl.change(queue, 'kept', { data: 3 });
      await jobControl.remove(queue, 'gone');
      const repeated = jobsIn(await queues.addOnce(queue, repeatable(jobs), FIRST));
      expect(repeated[0]).to.deep.include({ id: 'kept', data: 3 });
      expect(repeated[2]).to.deep.equal({ id: 'gone', existed: true });
      expect([repeated[1], repeated[3]]).to.deep.equal([first[1], first[3]]);
    });

    // holds: idempotency.time
    it('forgets an add after 24 hours, and not before', async () => {
      const { queues, advance } = harness();
      const queue = uniqueQueue();
      await queues.addOnce(queue, repeatable([jobOf()]), FIRST);
      await advance(REMEMBERED_FOR - 60_000);
      expect((await queues.addOnce(queue, repeatable([jobOf()]), FIRST)).kind).to.equal('repeated');
      await advance(60_000);
      expect((await queues.addOnce(queue, repeatable([jobOf()]), FIRST)).kind).to.equal('added');
      expect((await queues.addOnce(queue, repeatable([jobOf()]), FIRST)).kind).to.equal('repeated');
    });

    // holds: idempotency.replay
    it('remembers an add of no jobs, which creates no queue', async () => {
      const { queues, queueDirectory } = harness();
      const queue = uniqueQueue();
      expect(await queues.addOnce(queue, repeatable([]), FIRST)).to.deep.equal({
        kind: 'added',
        jobs: [],
      });
      expect(await queues.addOnce(queue, repeatable([]), FIRST)).to.deep.equal({
        kind: 'repeated',
        jobs: [],
      });
      const other = await queues.addOnce(queue, repeatable([jobOf()]), {
        ...FIRST,
        body: 'body-2',
      });
      expect(other).to.deep.equal({ kind: 'other' });
      expect(await pausedIn(queueDirectory, queue)).to.equal(undefined);
    });

    if (isVolumePlayedOn(store)) {
      // holds: idempotency.replay, idempotency.other-body
      it('remembers a large add', async () => {
        const { queues } = harness();
        const queue = uniqueQueue();
        const jobs = batch(2500);
        const first = await queues.addOnce(queue, repeatable(jobs), FIRST);
        const repeat = await queues.addOnce(queue, repeatable(jobs), FIRST);
        expect(repeat).to.deep.equal({ kind: 'repeated', jobs: jobsIn(first) });
        const other = await queues.addOnce(queue, repeatable(batch(2000)), {
          ...FIRST,
          body: 'body-2',
        });
        expect(other).to.deep.equal({ kind: 'other' });
        expect((await countsOf(queues, queue))['waiting']).to.equal(2500);
      });
    }

    for (const [kind, size] of [
      ['small', 3],
      ['large', 1500],
    ] as const) {
      // holds: idempotency.once, idempotency.in-progress
      it(`adds a ${kind} batch once when three replicas are asked at once`, async () => {
        const replicas = [harness(), await harness().replica(), await harness().replica()];
        const queue = uniqueQueue();
        const calls = [...replicas, ...replicas, ...replicas];
        const outcomes = await Promise.all(
          calls.map(({ queues }) => queues.addOnce(queue, repeatable(batch(size)), FIRST)),
        );
        const kinds = outcomes.map((outcome) => outcome.kind);
        expect(kinds.filter((each) => each === 'added')).to.have.length(1);
        expect(kinds).not.to.include('other');
        expect((await countsOf(harness().queues, queue))['waiting']).to.equal(size);
        const [first = [], ...others] = outcomes.flatMap((each) =>
          'jobs' in each ? [each.jobs] : [],
        );
        for (const jobs of others) expect(jobs).to.deep.equal(first);
      });
    }
  });
}
