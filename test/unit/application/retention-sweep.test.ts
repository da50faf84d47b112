import { expect } from 'chai';
import { RetentionSweep } from '../../../src/application/messages/retention-sweep.ts';
import { Rounds } from '../../../src/application/running/rounds.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';
import { MESSAGE_NAME } from '../../../src/domain/jobs/message-job.ts';
import type { JobState, StateCounts } from '../../../src/domain/jobs/job-status.ts';
import { newJob, type NewJob } from '../../../src/domain/jobs/job.ts';
import type { JobOptionsInput } from '../../../src/domain/jobs/job-options.ts';
import type { Policy } from '../../../src/domain/policies/policy.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import {
  addEach,
  COMPLETED,
  countsOf,
  FAILED,
  HOUR,
  NO_JOBS,
  process,
  take,
  uniqueQueue,
} from '../../contracts/queue-steps.ts';
import { eventually } from '../../support/eventually.ts';
import { memoryQueueHarness, type MemoryQueueHarness } from '../../support/memory-queue-harness.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const RETENTION = 60_000;

describe('RetentionSweep', () => {
  let harness: MemoryQueueHarness;
  let policies: Map<QueueName, Policy>;
  let sweep: Rounds;
  let queue: QueueName;
  let isAway: boolean;
  let signalled: unknown[];

  beforeEach(async () => {
    harness = memoryQueueHarness();
    isAway = false;
    signalled = [];
    queue = uniqueQueue();
    policies = new Map([[queue, { messages: { retention: RETENTION } }]]);
    const { jobScan: scan, jobControl: control, clock } = harness;
    const work = new RetentionSweep({
      policies: { each: () => policies },
      scan: {
        oldest: (...asked) =>
          isAway ? Promise.reject(storeUnavailable(new Error('gone'))) : scan.oldest(...asked),
        look: (...asked) => scan.look(...asked),
      },
      control,
      signals: {
        send: (kind, scope) => {
          expect(kind).to.equal('cancelled');
          signalled.push(scope);
        },
      },
      clock,
      logger: silentLogger,
    });
    sweep = new Rounds(work, clock, silentLogger);
    await sweep.start();
  });
  afterEach(() => sweep.stop());

  const message = (opts: JobOptionsInput = {}): NewJob =>
    newJob({ name: MESSAGE_NAME, data: { body: 'a' }, opts }, 'job');
  const send = (count: number, opts: JobOptionsInput = {}, to = queue): Promise<unknown> =>
    harness.queues.add(
      to,
      Array.from({ length: count }, () => message(opts)),
    );

  /** What is left soon: a step takes some turns of the event loop. */
  const left = (expected: Partial<StateCounts>): Promise<unknown> =>
    eventually(`counts of ${JSON.stringify(expected)}`, async () => {
      await harness.clock.advance(10);
      const counts = await countsOf(harness.queues, queue);
      return Object.entries(expected).every(([state, n]) => counts[state as JobState] === n);
    });

  // holds: sqs.retention
  it('removes messages when they are too old, wherever they are, and no others', async () => {
    const { queues, attempts, clock } = harness;
    await send(2);
    await process(attempts, queue, COMPLETED);
    await process(attempts, queue, FAILED);
    await send(1, { delay: HOUR });
    await send(1, { priority: 5 });
    await send(1);
    await addEach(queues, queue, {}, { delay: HOUR });
    const other = uniqueQueue();
    await send(1, {}, other);
    await clock.advance(RETENTION - 5000);
    await send(1);
    const before = { waiting: 3, prioritized: 1, delayed: 2, completed: 1, failed: 1 };
    expect(await countsOf(queues, queue)).to.include(before);
    await clock.advance(7000);
    await left({ waiting: 2, prioritized: 0, delayed: 1, completed: 0, failed: 0 });
    expect(await countsOf(queues, other)).to.include({ waiting: 1 });
    await clock.advance(RETENTION);
    await left({ waiting: 1, delayed: 1 });
  });

  // holds: sqs.retention
  it('removes messages that are in flight', async () => {
    const { queues, attempts, clock } = harness;
    await send(2);
    const attempt = await take(attempts, queue);
    await addEach(queues, queue, {});
    await take(attempts, queue);
    await take(attempts, queue);
    await clock.advance(RETENTION - 1000);
    expect(await countsOf(queues, queue)).to.include({ active: 3 });
    expect(signalled).to.deep.equal([]);
    await clock.advance(2000);
    await left({ active: 1, completed: 0, failed: 0 });
    expect((await attempts.settle(queue, attempt, COMPLETED)).held).to.equal(false);
    expect(signalled).to.deep.equal([{ queue }]);
  });

  // holds: sqs.retention
  it('removes many in short steps, behind other jobs too', async () => {
    const { queues, clock } = harness;
    await addEach(queues, queue, ...Array.from({ length: 300 }, () => ({})));
    await send(1000);
    await clock.advance(RETENTION + 1000);
    await left({ waiting: 300 });
  });

  // holds: sqs.retention
  it('follows the retention of the policy', async () => {
    const { queues, clock } = harness;
    policies.set(queue, { messages: {} });
    await send(1);
    await clock.advance(RETENTION + 5000);
    expect(await countsOf(queues, queue)).to.include({ waiting: 1 });
    policies.set(queue, { messages: { retention: RETENTION } });
    await clock.advance(2000);
    await left(NO_JOBS);
  });

  it('goes on when the store is back', async () => {
    const { clock } = harness;
    await send(1);
    isAway = true;
    policies.set(queue, { messages: { retention: RETENTION + 1 } });
    await clock.advance(RETENTION + 2000);
    isAway = false;
    await clock.advance(11_000);
    await left(NO_JOBS);
  });
});
