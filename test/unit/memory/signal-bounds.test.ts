import { expect } from 'chai';
import type { SuspensionRequest } from '../../../src/domain/steps/suspension-request.ts';
import { addOne, ANY, HOUR, jobOf, take } from '../../contracts/queue-steps.ts';
import { isSlowLane } from '../../support/lane.ts';
import { memoryQueueHarness } from '../../support/memory-queue-harness.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { rejection } from '../../support/rejection.ts';

const QUEUE = queueNamed('orders');
const MOST_WAITING = 100_000;
const WAIT: SuspensionRequest = {
  steps: [],
  sleeps: [],
  signals: [{ name: 'paid', key: 'paid' }],
  added: [],
  id: 'added',
  maxWaiting: new Map(),
};

describe('signals in memory', () => {
  // holds: steps.signal-bounds
  it('are kept up to 10,000 a queue, of which each may be replaced', async () => {
    const { jobSignals, advance } = memoryQueueHarness();
    const keep = (key: number) => jobSignals.send(QUEUE, `paid:${key}`, '1', HOUR);
    for (let key = 1; key <= 10_000; key += 1) await keep(key);
    expect(await rejection(keep(0))).to.include({ code: 'limit-reached' });
    expect(await keep(1)).to.include({ woken: 0 });
    await advance(HOUR);
    expect(await keep(0)).to.include({ woken: 0 });
  });

  // Seconds of it; those of Redis are counted each day.
  if (!isSlowLane) return;

  // holds: steps.signal-bounds
  it('are awaited by 100,000 jobs a key', async () => {
    const { queues, attempts, jobSignals } = memoryQueueHarness();
    const jobs = Array.from({ length: MOST_WAITING }, () => jobOf());
    await queues.add(QUEUE, jobs);
    const suspend = async (): Promise<object | undefined> => {
      const attempt = await take(attempts, QUEUE, ANY);
      const ending = { kind: 'suspended', request: WAIT } as const;
      return (await attempts.settle(QUEUE, attempt, ending)).refusal;
    };
    for (let index = 0; index < MOST_WAITING; index += 1) await suspend();
    await addOne(queues, QUEUE);
    const reason = '100000 jobs wait for the signal paid';
    expect(await suspend()).to.deep.equal({ reason, isFinal: false });
    expect(await jobSignals.send(QUEUE, 'paid', '1', 0)).to.include({ woken: MOST_WAITING });
  });
});
