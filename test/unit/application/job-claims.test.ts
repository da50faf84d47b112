import { noPolicies } from '../../support/no-policies.ts';
import { expect } from 'chai';
import { AttemptLog } from '../../../src/application/attempts/attempt-log.ts';
import { ClaimNotes } from '../../../src/application/pulls/claim-notes.ts';
import { JobClaims } from '../../../src/application/pulls/job-claims.ts';
import type { ClaimRequest } from '../../../src/domain/attempts/claim.ts';
import { isStoreUnavailable, storeUnavailable } from '../../../src/domain/errors.ts';
import { newJob } from '../../../src/domain/jobs/job.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryStores } from '../../support/memory-stores.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { rejection } from '../../support/rejection.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const QUEUE = queueNamed('texts');
const NEVER = (): AbortSignal => new AbortController().signal;

describe('JobClaims', () => {
  /** The claims of a replica that never read the record of workers. */
  function withoutWorkers() {
    const clock = new FakeClock();
    const { attempts, signals, queueStandings } = memoryStores(clock);
    let asked = 0;
    const workers = {
      workerOf: () => {
        asked += 1;
        return Promise.reject(storeUnavailable(new Error('refused')));
      },
    };
    const claims = new JobClaims(
      {
        attempts,
        workers,
        policies: noPolicies,
        tokens: { draw: () => 'token' },
        notes: new ClaimNotes(queueStandings, clock),
        observer: new AttemptLog(silentLogger, clock),
        clock,
        logger: silentLogger,
      },
      signals,
      30_000,
    );
    return { claims, asked: () => asked };
  }

  // holds: answers.unavailable
  it('refuse all clients when the workers are not known, and leave no rejection behind', async () => {
    const { claims, asked } = withoutWorkers();
    const answers = Array.from({ length: 8 }, () => claims.claim(QUEUE, { wait: 1000 }, NEVER));
    for (const answer of answers) {
      expect(isStoreUnavailable(await rejection(answer))).to.equal(true);
    }
    // An unhandled rejection is reported after the turn in which it happened, and fails this test.
    await new Promise(setImmediate);
    expect(asked()).to.equal(2);
  });

  it('ask the store nothing for a client whose wait was over before it began', async () => {
    const { claims, asked } = withoutWorkers();
    expect(await claims.claim(QUEUE, { wait: 1000 }, () => AbortSignal.abort())).to.deep.equal([]);
    await new Promise(setImmediate);
    expect(asked()).to.equal(0);
  });

  // holds: pull.wait
  it('give a client its job when the claim of one before it found none', async () => {
    const clock = new FakeClock();
    const { attempts, queues, signals, queueStandings } = memoryStores(clock);
    await queues.add(QUEUE, [newJob({ name: 'text', data: 1 }, '')], undefined);
    let claimed = 0;
    const claims = new JobClaims(
      {
        attempts: {
          claim: (queue: QueueName, request: ClaimRequest) => {
            claimed += 1;
            // The first client asks once alone and once with the other; then the job is added.
            return claimed <= 2
              ? Promise.resolve({ kind: 'idle' } as const)
              : attempts.claim(queue, request);
          },
          waitForJobs: () =>
            claimed === 1 ? new Promise(setImmediate) : new Promise(() => undefined),
        } as unknown as typeof attempts,
        workers: { workerOf: () => Promise.resolve(undefined) },
        policies: noPolicies,
        tokens: { draw: () => `token-${claimed}` },
        notes: new ClaimNotes(queueStandings, clock),
        observer: new AttemptLog(silentLogger, clock),
        clock,
        logger: silentLogger,
      },
      signals,
      30_000,
    );
    void claims.claim(QUEUE, { wait: 1000 }, NEVER);
    const [attempt] = await claims.claim(QUEUE, { wait: 1000 }, NEVER);
    expect(attempt?.job.name).to.equal('text');
  });
});
