import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { AddToQueues } from '../../src/application/ports/topic-port.ts';
import type { AddIdentity } from '../../src/domain/jobs/add-identity.ts';
import { erasure as erasureOf } from '../../src/domain/jobs/erasure.ts';
import type { JobOptionsInput } from '../../src/domain/jobs/job-options.ts';
import { newJob } from '../../src/domain/jobs/job.ts';
import { Traces } from '../../src/domain/jobs/traces.ts';
import { TOPIC_QUEUE } from '../../src/domain/queues/own-queue.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import type { QueuedJob } from '../../src/domain/transitions/add-to-queues.ts';
import { harnessOfSuite } from './harness-of-suite.ts';
import type { QueueHarness } from './queue-harness.ts';
import { addOne, countsOf, NO_JOBS, take, uniqueQueue } from './queue-steps.ts';

const NONE: ReadonlyMap<number, unknown> = new Map();

/** What every TopicPort promises. */
export function describeTopicPort(name: string, createHarness: () => Promise<QueueHarness>): void {
  describe(`TopicPort: ${name}`, () => {
    const harness = harnessOfSuite(createHarness);
    let [here, there] = [uniqueQueue(), uniqueQueue()];

    beforeEach(() => {
      [here, there] = [uniqueQueue(), uniqueQueue()];
    });

    const job = (queue: QueueName, opts: JobOptionsInput = {}): QueuedJob => ({
      queue,
      id: opts.jobId ?? randomUUID(),
      job: newJob({ name: 'order', data: { n: 1 }, opts }, ''),
    });

    /** Jobs of two queues in turn. */
    const jobsOf = (count: number, opts: JobOptionsInput = {}): readonly QueuedJob[] =>
      Array.from({ length: count }, (_, index) => job(index % 2 === 0 ? here : there, opts));

    const add = (
      jobs: readonly QueuedJob[],
      more: Partial<AddToQueues> = {},
      { topics }: Pick<QueueHarness, 'topics'> = harness(),
    ) =>
      topics.add({
        jobs,
        maxWaiting: () => undefined,
        maxWaitingOfGroup: () => undefined,
        isDryRun: false,
        ...more,
      });

    const waiting = async (queue: QueueName): Promise<unknown> =>
      (await countsOf(harness().queues, queue))['waiting'];

    const identity = (): AddIdentity => ({ key: randomUUID(), body: 'body-1' });

    // holds: topics.repeated
    it('forgets an add once a job of it is erased', async () => {
      const { topics, erasure } = harness();
      const once = identity();
      const jobs = jobsOf(4);
      const origin = { jobs: jobs.map(({ queue, id }) => [0, id, queue, id]), skipped: [] };
      await add(jobs, { once: { identity: once, origin } });
      const forget = (of: QueueName, id: string): Promise<number> => {
        const order = erasureOf({ filter: { queue: of, ids: [id] } });
        return erasure.forgetAdds(TOPIC_QUEUE, new Traces(order, () => true), order.filter);
      };
      expect(await forget(there, randomUUID())).to.equal(0);
      expect((await topics.recall(once))?.kind).to.equal('repeated');
      expect(await forget(there, jobs[1]!.id)).to.equal(1);
      expect(await topics.recall(once)).to.equal(undefined);
    });

    for (const size of [4, 300, 1200]) {
      // holds: topics.atomic
      it(`adds ${size} jobs to several queues under their ids`, async () => {
        const jobs = jobsOf(size);
        expect(await add(jobs)).to.deep.equal({ kind: 'added', existing: NONE });
        expect(await waiting(here)).to.equal(size / 2);
        expect(await waiting(there)).to.equal(size / 2);
        const { job: taken } = await take(harness().attempts, here);
        expect(taken).to.deep.include({ id: jobs[0]?.id, name: 'order', data: { n: 1 } });
      });

      // holds: topics.atomic, topics.full
      it(`adds none of ${size} jobs while one of their queues lacks room`, async () => {
        const refused = await add(jobsOf(size), {
          maxWaiting: (queue) => (queue === there ? size / 2 - 1 : undefined),
        });
        expect(refused).to.deep.equal({
          kind: 'full',
          queues: [{ queue: there, excess: 1 }],
          groups: [],
        });
        for (const queue of [here, there]) {
          expect(await countsOf(harness().queues, queue)).to.deep.equal(NO_JOBS);
        }
      });

      // holds: topics.dry-run
      it(`stores nothing in a dry run of ${size} jobs, and refuses what an add would`, async () => {
        const dry = { isDryRun: true };
        expect(await add(jobsOf(size), dry)).to.deep.equal({ kind: 'added', existing: NONE });
        const full = await add(jobsOf(size), { ...dry, maxWaiting: () => 1 });
        expect(full.kind).to.equal('full');
        for (const queue of [here, there]) {
          expect(await countsOf(harness().queues, queue)).to.deep.equal(NO_JOBS);
        }
      });

      // holds: topics.repeated
      it(`adds ${size} jobs once under a key, and recalls what was kept of them`, async () => {
        const once = { identity: identity(), origin: { some: ['thing', null] } };
        const replica = await harness().replica();
        expect(await replica.topics.recall(once.identity)).to.equal(undefined);
        expect((await add(jobsOf(size), { once })).kind).to.equal('added');
        const { origin } = once;
        const repeated = { kind: 'repeated', origin, existing: NONE };
        expect(await add(jobsOf(2), { once }, replica)).to.deep.equal(repeated);
        expect(await replica.topics.recall(once.identity)).to.deep.equal(repeated);
        const other = { ...once.identity, body: 'body-2' };
        expect(await replica.topics.recall(other)).to.deep.equal({ kind: 'other' });
        expect(await waiting(here)).to.equal(size / 2);
      });

      // holds: topics.as-adds
      it(`leaves jobs that are there in the place of some of ${size}`, async () => {
        await addOne(harness().queues, there, { jobId: 'mine' });
        await addOne(harness().queues, here, { deduplication: { id: 'one' } });
        const [held] = (
          await harness().queues.list(here, {
            statuses: ['waiting'],
            start: 0,
            length: 1,
          })
        ).jobs as unknown as readonly (readonly { readonly id: string }[])[];
        const jobs = [
          ...jobsOf(size),
          job(there, { jobId: 'mine' }),
          job(here, { jobId: 'mine' }),
          job(here, { jobId: 'mine' }),
          job(here, { deduplication: { id: 'one' } }),
          job(there, { deduplication: { id: 'one' } }),
          job(there, { deduplication: { id: 'one' } }),
        ];
        const once = { identity: identity(), origin: null };
        const standing = jobs[size + 4]?.id;
        const existing = new Map([
          [size, { id: 'mine', isDeduplicated: false }],
          [size + 2, { id: 'mine', isDeduplicated: false }],
          [size + 3, { id: held?.[0]?.id, isDeduplicated: true }],
          [size + 5, { id: standing, isDeduplicated: true }],
        ]);
        const added = await add(jobs, { once });
        expect(added).to.deep.equal({ kind: 'added', existing });
        expect(await harness().topics.recall(once.identity)).to.deep.include({ existing });
        expect(await waiting(here)).to.equal(size / 2 + 2);
        expect(await waiting(there)).to.equal(size / 2 + 2);
      });
    }

    // holds: topics.as-adds
    it('keeps delays, priorities and groups of jobs, and makes their queues known', async () => {
      const jobs = [
        job(here, { delay: 60_000 }),
        job(here, { priority: 3 }),
        job(there, { group: { id: 'a' } }),
      ];
      await add(jobs);
      const { queues, groups, queueDirectory } = harness();
      expect(await countsOf(queues, here)).to.include({ delayed: 1, prioritized: 1 });
      expect(await groups.find(there, 'a', undefined)).to.deep.include({ id: 'a' });
      const [glance] = await queueDirectory.glances([here]);
      expect(glance).to.include({ isPaused: false });
    });

    // holds: topics.full
    it('finds all queues and all jobs of groups that lack room', async () => {
      const grouped = { group: { id: 'a' } };
      await addOne(harness().queues, here, grouped);
      const jobs = [
        job(here, grouped),
        job(there),
        job(here, grouped),
        job(here),
        job(there, { delay: 1000 }),
        job(there),
      ];
      const refused = await add(jobs, {
        maxWaiting: (queue) => (queue === there ? 1 : 2),
        maxWaitingOfGroup: (queue) => (queue === here ? 1 : undefined),
      });
      expect(refused).to.deep.equal({
        kind: 'full',
        queues: [
          { queue: here, excess: 2 },
          { queue: there, excess: 1 },
        ],
        groups: [
          { position: 0, waiting: 1 },
          { position: 2, waiting: 1 },
        ],
      });
    });

    // holds: topics.repeated
    it('remembers a call without jobs too', async () => {
      const once = { identity: identity(), origin: { jobs: [] } };
      expect(await add([], { once })).to.deep.equal({ kind: 'added', existing: NONE });
      expect(await add(jobsOf(2), { once })).to.deep.include({ kind: 'repeated' });
      expect(await countsOf(harness().queues, here)).to.deep.equal(NO_JOBS);
    });

    // holds: topics.repeated
    it('adds once when three replicas are asked at once', async () => {
      const once = { identity: identity(), origin: null };
      const replicas = [harness(), await harness().replica(), await harness().replica()];
      const outcomes = await Promise.all(
        [...replicas, ...replicas].map((replica) => add(jobsOf(10), { once }, replica)),
      );
      const added = outcomes.filter(({ kind }) => kind === 'added');
      expect(added).to.have.length(1);
      expect(await waiting(here)).to.equal(5);
    });
  });
}
