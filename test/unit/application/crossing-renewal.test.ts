import { expect } from 'chai';
import sinon from 'sinon';
import { CallCapacity } from '../../../src/application/calls/call-capacity.ts';
import { QueueConsumer } from '../../../src/application/calls/queue-consumer.ts';
import type { AttemptEvent } from '../../../src/application/ports/attempt-observer.ts';
import { ReplicaShortageError } from '../../../src/application/ports/webhook-port.ts';
import { newJob } from '../../../src/domain/jobs/job.ts';
import { RandomTokens } from '../../../src/infrastructure/random-tokens.ts';
import { claimOf } from '../../contracts/queue-steps.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryStores, type MemoryStores } from '../../support/memory-stores.ts';
import { noPolicies } from '../../support/no-policies.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { RecordedWebhook, type OpenCall } from '../../support/recorded-webhook.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const QUEUE = queueNamed('mail');
const RENEWAL_INTERVAL = 5000;

/** How an attempt of a call ends: the step of the store, and what observers learn after its start, up to the start of another. */
interface End {
  readonly of: string;
  readonly step: 'settle' | 'release';
  readonly answer: (call: OpenCall) => void;
  readonly observed: readonly AttemptEvent['kind'][];
}

const completes = (call: OpenCall): void => {
  call.answer(200, '7');
};
const cannotBeMade = (call: OpenCall): void => {
  call.fail(new ReplicaShortageError('no descriptors'));
};

const ENDS: readonly End[] = [
  { of: 'completes', step: 'settle', answer: completes, observed: ['ended'] },
  {
    of: 'goes back, as its call cannot be made',
    step: 'release',
    answer: cannotBeMade,
    observed: ['started'],
  },
];

describe('A renewal of locks that crosses the end of an attempt', () => {
  let clock: FakeClock;
  let stores: MemoryStores;
  let webhook: RecordedWebhook;
  let consumer: QueueConsumer;
  let events: AttemptEvent['kind'][];

  beforeEach(() => {
    clock = new FakeClock();
    stores = memoryStores(clock);
    webhook = new RecordedWebhook();
    events = [];
  });
  afterEach(async () => {
    const stopped = consumer.stop();
    await consumer.giveUp();
    await stopped;
    sinon.restore();
  });

  function start(): void {
    const endpoint = { url: 'http://localhost:1/', method: 'post' as const };
    consumer = new QueueConsumer(
      { queue: QUEUE, endpoint, opts: {} },
      {
        attempts: stores.attempts,
        holders: stores.attempts,
        policies: noPolicies,
        tokens: new RandomTokens(),
        webhook,
        clock,
        logger: silentLogger,
        observer: {
          observe: ({ kind }) => {
            if (kind !== 'served') events.push(kind);
          },
        },
        lockDuration: 30_000,
        renewalInterval: RENEWAL_INTERVAL,
        capacity: new CallCapacity(clock, silentLogger),
        disable: () => Promise.resolve(),
        notifyClosed: () => undefined,
      },
    );
    consumer.start();
  }

  /** Holds the answers of a step of the store, which does its work at once. @returns how to let them through. */
  function holdAnswersOf(step: End['step']): () => void {
    let open: () => void = () => undefined;
    const barrier = new Promise<void>((resolve) => {
      open = resolve;
    });
    const attempts = stores.attempts as Record<End['step'], (...of: never[]) => Promise<unknown>>;
    const work = attempts[step].bind(stores.attempts);
    sinon.stub(attempts, step).callsFake(async (...of: never[]) => {
      const answer = await work(...of);
      await barrier;
      return answer;
    });
    return open;
  }

  for (const { of, step, answer, observed } of ENDS) {
    // holds: attempts.crossing-renewal
    it(`reports no lost job: the attempt ${of}`, async () => {
      start();
      await stores.queues.add(QUEUE, [newJob({ name: 'job', data: 1 }, '')]);
      const call = await webhook.nth(0);
      const letThrough = holdAnswersOf(step);
      answer(call);
      await clock.advance(0);
      const renewals = sinon.spy(stores.attempts, 'renew');
      await clock.advance(RENEWAL_INTERVAL);
      expect(await renewals.firstCall.returnValue, 'no longer held').to.have.lengthOf(1);
      expect(events).to.deep.equal(['started']);
      letThrough();
      await clock.advance(0);
      expect(events).to.deep.equal(['started', ...observed]);
    });
  }

  it('reports a job once that another holder got before the end was recorded', async () => {
    start();
    await stores.queues.add(QUEUE, [newJob({ name: 'job', data: 1 }, '')]);
    const call = await webhook.nth(0);
    await stores.attempts.release(QUEUE, { jobId: call.job.id, token: call.token });
    await stores.attempts.claim(QUEUE, claimOf({ concurrency: 2, lockDuration: 30_000 }));
    const letThrough = holdAnswersOf('settle');
    completes(call);
    await clock.advance(RENEWAL_INTERVAL);
    letThrough();
    await clock.advance(0);
    expect(events).to.deep.equal(['started', 'lost']);
  });

  it('reports a job as cancelled whose end was being recorded', async () => {
    start();
    await stores.queues.add(QUEUE, [newJob({ name: 'job', data: 1 }, '')]);
    const call = await webhook.nth(0);
    await stores.jobControl.cancel(QUEUE, call.job.id, { reason: 'no' });
    const letThrough = holdAnswersOf('settle');
    completes(call);
    await clock.advance(0);
    await consumer.endCancelled({ queue: QUEUE, jobId: call.job.id });
    letThrough();
    await clock.advance(0);
    expect(events).to.deep.equal(['started', 'cancelled']);
  });
});
