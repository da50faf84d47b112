import { expect } from 'chai';
import { OverdueSweep } from '../../../src/application/maintenance/overdue-sweep.ts';
import { Rounds } from '../../../src/application/running/rounds.ts';
import { AttemptLog } from '../../../src/application/attempts/attempt-log.ts';
import { addOne, ANY, read, take, uniqueQueue } from '../../contracts/queue-steps.ts';
import { RecordingLogger } from '../../integration/http/support/recording-logger.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryStores } from '../../support/memory-stores.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { unobserved } from '../../support/unobserved.ts';

describe('OverdueSweep', () => {
  // holds: deferred.overdue
  it('fails an attempt that was not completed in time, and lets another follow', async () => {
    const clock = new FakeClock();
    const logger = new RecordingLogger();
    const { attempts, queues } = memoryStores(clock);
    const sweeps = [1, 2].map(
      () =>
        new Rounds(
          new OverdueSweep(
            {
              attempts,
              holders: attempts,
              sweeps: attempts,
              workers: { workerOf: () => Promise.resolve(undefined) },
              messages: { show: () => Promise.reject(new Error('It is no message')) },
              observer: new AttemptLog(logger, clock),
              clock,
            },
            30_000,
          ),
          clock,
          logger,
        ),
    );
    for (const sweep of sweeps) await sweep.start();
    const queue = uniqueQueue();
    const { id } = await addOne(queues, queue, { attempts: 2, backoff: 60_000 });
    await attempts.accept(queue, await take(attempts, queue), 3_600_000);
    await clock.advance(3_599_999);
    expect(await read(queues, queue, id)).to.include({ state: 'active' });
    await clock.advance(5001);
    const reason = 'Endpoint did not complete within 3600000 ms';
    expect(await read(queues, queue, id)).to.deep.include({
      state: 'delayed',
      delay: 60_000,
      attemptsMade: 1,
      failedReason: reason,
      stacktrace: [reason],
    });
    await clock.advance(60_000);
    await attempts.accept(queue, await take(attempts, queue), 1000);
    await clock.advance(6000);
    const failedReason = 'Endpoint did not complete within 1000 ms';
    expect(await read(queues, queue, id)).to.include({ state: 'failed', failedReason });
    const { count, attempts: made } = (await queues.attempts(queue, id))!;
    expect([count, made[0]?.outcome, made[1]?.reason]).to.deep.equal([2, 'timeout', failedReason]);
    const lines = logger.lines.filter(({ message }) => message === 'Job failed');
    expect(lines.map(({ fields }) => fields)).to.deep.equal([
      { queue, job: id, attempts: 2, reason: failedReason },
    ]);
    for (const sweep of sweeps) await sweep.stop();
  });

  it('searches when an attempt may be overdue, however many are expected', async () => {
    const clock = new FakeClock();
    const { attempts, queues } = memoryStores(clock);
    const searchedAt: number[] = [];
    const begin = clock.now();
    const overdue = (): ReturnType<typeof attempts.overdue> => {
      searchedAt.push(clock.now() - begin);
      return attempts.overdue();
    };
    const sweep = new OverdueSweep(
      {
        attempts,
        holders: attempts,
        sweeps: { ...stubOfSweeps, overdue },
        workers: { workerOf: () => Promise.resolve(undefined) },
        messages: { show: () => Promise.resolve(true) },
        observer: unobserved,
        clock,
      },
      30_000,
    );
    const rounds = new Rounds(sweep, clock, silentLogger);
    await rounds.start();
    await clock.advance(1000);
    const queue = uniqueQueue();
    await addOne(queues, queue);
    const claim = { ...ANY, isPulled: true, isReceived: true, lockDuration: 2000 };
    await take(attempts, queue, claim);
    for (let count = 1; count <= 100; count += 1) sweep.expect(clock.now() + 2000 + count);
    await clock.advance(2100);
    expect(searchedAt).to.deep.equal([0, 1000, 3000, 3010]);
    await rounds.stop();
  });
});

const stubOfSweeps = {
  recoverStalled: () => Promise.resolve({ stalled: [] }),
  pulledQueues: () => Promise.resolve([]),
};
