import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { BEFORE_EVENTS } from '../../../src/domain/events/event-id.ts';
import { isQueueFull } from '../../../src/domain/errors.ts';
import type { JobOptionsInput } from '../../../src/domain/jobs/job-options.ts';
import { newJob, type NewJob } from '../../../src/domain/jobs/job.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { rejection } from '../../support/rejection.ts';
import type { QueueHarness } from '../queue-harness.ts';
import { countsOf, jobOf, NO_JOBS, takeAll, uniqueQueue } from '../queue-steps.ts';
import { isVolumePlayedOn } from '../played-on.ts';

/** More jobs than one step of any store adds. */
const MANY = 1200;

/** Few enough for one step of any store. */
const FEW = 50;

/** What the jobs at the positions of a cycle ask for. */
const KINDS: readonly ((position: number) => JobOptionsInput)[] = [
  () => ({}),
  (position) => ({ group: { id: `group-${position % 40}` } }),
  () => ({ lifo: true }),
  (position) => ({ priority: 1 + (position % 5) }),
  (position) => ({ jobId: `own-${position % 700}` }),
  (position) => ({ group: { id: `group-${position % 40}`, cost: 3 }, priority: 2 }),
  (position) => ({ delay: 1000 + (position % 100) }),
  (position) => ({ group: { id: `late-${position}` }, delay: 2000 }),
  (position) => ({ group: { id: `group-${position % 7}` }, lifo: true }),
  () => ({ ttl: 3_600_000 }),
  (position) => ({ deduplication: { id: `few-${position % 90}` } }),
  (position) => ({ deduplication: { id: `timed-${position}`, ttl: 60_000 } }),
  (position) => ({ delay: 5000, deduplication: { id: `last-${position % 3}`, replace: true } }),
  () => ({ deduplication: { id: 'extended', ttl: 60_000, extend: true } }),
];

function jobsOfEveryKind(): NewJob[] {
  return Array.from({ length: MANY }, (_, position) => {
    const opts = KINDS[position % KINDS.length]?.(position) ?? {};
    return newJob({ name: `job ${position}`, data: position, opts }, '');
  });
}

function grouped(count: number): NewJob[] {
  return Array.from({ length: count }, (_, n) => jobOf({ group: { id: `group-${n}` } }));
}

export function describeLargeAdds(harness: () => QueueHarness, store: string): void {
  describe('large adds', () => {
    async function addInPieces(queue: QueueName, jobs: readonly NewJob[]): Promise<unknown[]> {
      const answers: unknown[] = [];
      for (let first = 0; first < jobs.length; first += FEW) {
        answers.push(...(await harness().queues.add(queue, jobs.slice(first, first + FEW))));
      }
      return answers;
    }

    async function eventsOf(queue: QueueName): Promise<readonly object[]> {
      const found: object[] = [];
      for (let after = BEFORE_EVENTS; ;) {
        const { events, last, isEnd } = await harness().events.read(queue, after);
        found.push(...events.map((event) => ({ ...event, id: '' })));
        if (isEnd) return found;
        after = last;
      }
    }

    if (isVolumePlayedOn(store)) {
      // holds: adding.large
      it('have the answer, the order, the turns and the events of small ones', async () => {
        const [large, small] = [uniqueQueue(), uniqueQueue()];
        const jobs = jobsOfEveryKind();
        const answer = await harness().queues.add(large, jobs);
        const answers = await addInPieces(small, jobs);
        const plain = (value: unknown): unknown =>
          JSON.parse(
            JSON.stringify(value, (name, each: unknown) => (name === 'timestamp' ? 0 : each)),
          ) as unknown;
        const withoutQueue = (value: unknown): unknown =>
          JSON.parse(JSON.stringify(plain(value)).replaceAll(large, small)) as unknown;
        expect(withoutQueue(answer)).to.deep.equal(plain(answers));
        expect(await countsOf(harness().queues, large)).to.deep.equal(
          await countsOf(harness().queues, small),
        );
        expect(withoutQueue(await eventsOf(large))).to.deep.equal(plain(await eventsOf(small)));
        const taken = async (queue: QueueName): Promise<unknown[]> => {
          const attempts = await takeAll(harness().attempts, queue, {
            concurrency: 10_000,
            lockDuration: 3_600_000,
          });
          return attempts.map(({ job }) => [job.id, job.name]);
        };
        expect(await taken(large)).to.deep.equal(await taken(small));
      });

      // holds: adding.large
      it('go behind the jobs of their groups that wait, and later ones behind them', async () => {
        const { queues, attempts } = harness();
        const queue = uniqueQueue();
        const ofGroup = (name: string): NewJob =>
          newJob({ name, data: 1, opts: { group: { id: 'group-0' } } }, '');
        await queues.add(queue, [ofGroup('before')]);
        await queues.add(queue, [ofGroup('in the add'), ...grouped(MANY).slice(1)]);
        await queues.add(queue, [ofGroup('after')]);
        const taken = await takeAll(attempts, queue, {
          concurrency: 10_000,
          lockDuration: 3_600_000,
        });
        const names = taken
          .filter(({ job }) => job.opts.group?.id === 'group-0')
          .map(({ job }) => job.name);
        expect(names).to.deep.equal(['before', 'in the add', 'after']);
      });
    }

    // holds: adding.large
    it('store nothing where the queue or a group has no room', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      const jobs = [...grouped(MANY), jobOf({ group: { id: 'group-7' } })];
      expect(isQueueFull(await rejection(queues.add(queue, jobs, MANY)))).to.equal(true);
      const error = await rejection(queues.add(queue, jobs, undefined, 1));
      expect(isQueueFull(error)).to.equal(true);
      expect(error.message).to.include('group-7');
      expect(await countsOf(queues, queue)).to.deep.equal(NO_JOBS);
      expect(await queues.add(queue, jobs, MANY + 1, 2)).to.have.lengthOf(MANY + 1);
    });

    // holds: adding.large
    it('show none of their jobs to anybody until all are there', async () => {
      const { queues } = harness();
      const other = await harness().replica();
      const queue = uniqueQueue();
      const added: unknown[] = [];
      const adding = queues.add(queue, grouped(4 * MANY)).finally(() => added.push(true));
      while (added.length === 0) {
        for (const reader of [queues, other.queues]) {
          const { waiting } = await countsOf(reader, queue);
          expect(waiting).to.be.oneOf([0, 4 * MANY]);
        }
        await turn();
      }
      const [first] = await adding;
      for (const reader of [queues, other.queues]) {
        const job = await reader.find(queue, first?.id ?? '');
        expect(job?.opts.group?.id).to.equal('group-0');
        expect(await countsOf(reader, queue)).to.deep.equal({ ...NO_JOBS, waiting: 4 * MANY });
      }
    });

    it('answer the jobs that exist, and store each id once', async () => {
      const { queues } = harness();
      const queue = uniqueQueue();
      await queues.add(queue, [jobOf({ jobId: 'own-3' }, 'there before')]);
      const jobs = Array.from({ length: MANY }, (_, n) => jobOf({ jobId: `own-${n % 600}` }, n));
      const added = await queues.add(queue, jobs);
      expect(added[3]).to.include({ id: 'own-3', data: 'there before', existed: true });
      expect(added[4]).to.include({ id: 'own-4', data: 4 }).and.not.have.property('existed');
      expect(added[604]).to.include({ id: 'own-4', data: 4, existed: true });
      expect(await countsOf(queues, queue)).to.deep.equal({ ...NO_JOBS, waiting: 600 });
    });
  });
}
