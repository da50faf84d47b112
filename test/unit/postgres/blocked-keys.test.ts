import { expect } from 'chai';
import type { LoggedChange } from '../../../src/adapters/outbound/postgres/log/log-entry.ts';
import type { Claim } from '../../../src/domain/attempts/claim.ts';
import type { NewJob } from '../../../src/domain/jobs/job.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { QueueHarness } from '../../contracts/queue-harness.ts';
import {
  ANY,
  claimOf,
  COMPLETED,
  countsOf,
  jobOf,
  take,
  uniqueQueue,
} from '../../contracts/queue-steps.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { LogInMemory } from '../../support/postgres/log-in-memory.ts';
import { replicasInMemory } from '../../support/postgres/replicas-in-memory.ts';

const KEYS = 1200;
const WINDOW = 600_000;
const TERMS = { ...ANY, concurrency: KEYS, groups: { hasFlows: true } } as const;

/** The most groups, and delayed jobs, that a claim looks at. */
const MOST_SEEN = 1000;

describe('a claim where many flow control keys are at their limits', function () {
  this.timeout(60_000);

  let log: LogInMemory;
  let harness: QueueHarness;
  let queue: QueueName;

  beforeEach(() => {
    log = new LogInMemory();
    harness = replicasInMemory('test', new FakeClock(), undefined, log);
    queue = uniqueQueue();
  });

  /** Publishes a message of each key. */
  async function publish(delay: number): Promise<void> {
    const messages = Array.from({ length: KEYS }, (_, index): NewJob => {
      const flowControl = { key: `key-${index}`, rate: 1, period: WINDOW };
      const endpoint = { url: 'http://a.test/', push: { flowControl } };
      const { opts, ...job } = jobOf({ group: { id: flowControl.key } });
      return { ...job, opts: { ...opts, delay, endpoint } };
    });
    await harness.queues.add(queue, messages);
  }

  /** @returns how many records the claim changed. */
  async function claimed(): Promise<{ readonly claim: Claim; readonly changed: number }> {
    const before = (await log.after(0)).length;
    const claim = await harness.attempts.claim(queue, claimOf(TERMS));
    const rounds = await log.after(before);
    const changes = rounds.flatMap((round) => JSON.parse(round.changes) as readonly LoggedChange[]);
    return { claim, changed: changes.length };
  }

  /** Claims until nothing may start for now. @returns the most that a claim changed, and how many were made. */
  async function untilIdle(): Promise<readonly [most: number, claims: number]> {
    for (let claims = 1, most = 0; ; claims += 1) {
      const { claim, changed } = await claimed();
      most = Math.max(most, changed);
      if (claim.kind !== 'idle') throw new Error(`A job started: ${claim.kind}`);
      if ((claim.nextAt ?? Infinity) > harness.now()) return [most, claims];
    }
  }

  // holds: qstash.flow-control
  it('passes over some of them at a time, and is made again at once', async () => {
    await publish(0);
    for (let started = 0; started < KEYS; started += 1) {
      const attempt = await take(harness.attempts, queue, TERMS);
      await harness.attempts.settle(queue, attempt, COMPLETED);
    }
    await publish(0);
    const [most, claims] = await untilIdle();
    expect(claims).to.equal(Math.ceil(KEYS / MOST_SEEN));
    expect(most).to.be.within(MOST_SEEN, 3 * MOST_SEEN);
    // All of them look again by themselves.
    await harness.advance(61_000);
    const [mostAgain, claimsAgain] = await untilIdle();
    expect(claimsAgain).to.be.at.least(KEYS / 100);
    expect(mostAgain).to.be.at.most(300);
  });

  // holds: qstash.flow-control
  it('has some of the messages wait at a time that fell due together', async () => {
    await publish(1000);
    await harness.advance(1000);
    expect((await claimed()).claim.kind).to.equal('attempt');
    const counts = await countsOf(harness.queues, queue);
    expect(counts).to.include({ waiting: MOST_SEEN - 1, delayed: KEYS - MOST_SEEN });
  });
});
