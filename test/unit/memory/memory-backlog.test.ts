import { queueNamed } from '../../support/queue-named.ts';
import { expect } from 'chai';
import { JobList } from '../../../src/adapters/outbound/memory/state/job-list.ts';
import { StoredJob } from '../../../src/adapters/outbound/memory/state/stored-job.ts';
import { newJobRecord } from '../../../src/domain/records/job-record.ts';
import { addOne, COMPLETED, jobOf, take, listPage } from '../../contracts/queue-steps.ts';
import { memoryQueueHarness } from '../../support/memory-queue-harness.ts';

const BACKLOG = 10_000;

const TURNS = 2000;

/** A rank that counts how often it is compared. */
class CountedRank {
  comparisons = 0;
  readonly #rank: number;

  constructor(rank: number) {
    this.#rank = rank;
  }

  valueOf(): number {
    this.comparisons += 1;
    return this.#rank;
  }
}

describe('a long backlog in memory', () => {
  it('is processed in order while more jobs are added', async () => {
    const { queues, attempts } = memoryQueueHarness();
    const batch = Array.from({ length: BACKLOG }, (_, index) => jobOf({}, index));
    await queues.add(queueNamed('mail'), batch);
    for (let turn = 0; turn < TURNS; turn += 1) {
      const attempt = await take(attempts, queueNamed('mail'));
      expect(attempt.job.data).to.equal(turn);
      await attempts.settle(queueNamed('mail'), attempt, COMPLETED);
      await addOne(queues, queueNamed('mail'), {}, BACKLOG + turn);
    }
    const { counts, jobs } = await listPage(queues, queueNamed('mail'), {
      statuses: ['waiting', 'completed'],
      start: BACKLOG - 2,
      length: 4,
    });
    expect(counts).to.include({ waiting: BACKLOG, completed: TURNS });
    expect(jobs.map(({ data }) => data)).to.deep.equal([TURNS + 1, TURNS, TURNS - 1, TURNS - 2]);
  });

  it('is listed whole', async () => {
    const { queues } = memoryQueueHarness();
    const half = BACKLOG / 2;
    await queues.add(
      queueNamed('mail'),
      Array.from({ length: BACKLOG }, (_, index) => jobOf(index < half ? {} : { priority: 1 })),
    );
    const statuses = ['waiting', 'prioritized'] as const;
    const { jobs } = await listPage(queues, queueNamed('mail'), {
      statuses,
      start: 0,
      length: BACKLOG,
    });
    expect(new Set(jobs.map(({ id }) => id))).to.have.lengthOf(BACKLOG);
  });

  it('takes few comparisons for each step, at any length', () => {
    const list = new JobList(() => undefined);
    const rank = new CountedRank(0) as CountedRank & number;
    const record = (id: number): StoredJob => StoredJob.of(newJobRecord(String(id), jobOf(), 0));
    for (let id = 0; id < BACKLOG; id += 1) list.append(record(id), rank);
    for (const step of [
      () => {
        list.append(record(-1), rank);
      },
      () => {
        list.prepend(record(-2), rank);
      },
      () => list.first(),
      () => {
        const first = list.first();
        if (first !== undefined) list.remove(first);
      },
      () => list.fromLast(0, 10),
    ]) {
      rank.comparisons = 0;
      step();
      expect(rank.comparisons).to.be.below(100);
    }
    expect(list.size).to.equal(BACKLOG + 1);
  });
});
