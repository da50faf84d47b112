import { expect } from 'chai';
import { AttemptLog } from '../../../src/application/attempts/attempt-log.ts';
import { CallCapacity } from '../../../src/application/calls/call-capacity.ts';
import { QueueConsumer } from '../../../src/application/calls/queue-consumer.ts';
import { newJob } from '../../../src/domain/jobs/job.ts';
import type { Endpoint } from '../../../src/domain/calls/endpoint.ts';
import type { WorkerOptions } from '../../../src/domain/workers/worker-options.ts';
import { RandomTokens } from '../../../src/infrastructure/random-tokens.ts';
import { RecordingLogger } from '../../integration/http/support/recording-logger.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryStores, type MemoryStores } from '../../support/memory-stores.ts';
import { noPolicies } from '../../support/no-policies.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { RecordedWebhook } from '../../support/recorded-webhook.ts';

const QUEUE = queueNamed('asks');
const WINDOW = 10_000;
/** The window in truth. */
const STRETCHED = 10_050;

describe('an endpoint that says what a start counted', () => {
  let clock: FakeClock;
  let stores: MemoryStores;
  let webhook: RecordedWebhook;
  let consumer: QueueConsumer;

  const start = (opts: WorkerOptions = {}, endpoint: Partial<Endpoint> = {}): void => {
    const logger = new RecordingLogger();
    consumer = new QueueConsumer(
      {
        queue: QUEUE,
        endpoint: { url: 'http://localhost:1/', method: 'post', ...endpoint },
        opts: { concurrency: 1, limiter: { max: 10, duration: WINDOW }, ...opts },
      },
      {
        attempts: stores.attempts,
        holders: stores.attempts,
        policies: noPolicies,
        tokens: new RandomTokens(),
        webhook,
        clock,
        logger,
        observer: new AttemptLog(logger, clock),
        lockDuration: 30_000,
        renewalInterval: 5000,
        capacity: new CallCapacity(clock, logger),
        disable: () => Promise.resolve(),
        notifyClosed: () => undefined,
      },
    );
    consumer.start();
  };

  beforeEach(() => {
    clock = new FakeClock();
    stores = memoryStores(clock);
    webhook = new RecordedWebhook();
  });
  afterEach(async () => {
    const stopped = consumer.stop();
    await consumer.giveUp();
    await stopped;
  });

  const add = async (...costs: readonly number[]): Promise<void> => {
    const jobs = costs.map((cost) => newJob({ name: 'ask', data: 1, opts: { cost } }, ''));
    await stores.queues.add(QUEUE, jobs);
    await clock.advance(0);
  };

  const answer = async (index: number, status: number, cost: string, body = ''): Promise<void> => {
    (await webhook.nth(index)).answer(status, body, { 'jobgate-cost': cost });
    await clock.advance(0);
  };

  const called = (): string[] => webhook.calls.map(({ job }) => job.id);

  // holds: costs.corrected, costs.overdrawn
  it('has later calls wait until enough has left the window', async () => {
    start();
    await add(1, 1, 1);
    await answer(0, 200, '10');
    expect(called()).to.deep.equal(['1']);
    await clock.advance(STRETCHED);
    expect(called()).to.deep.equal(['1', '2']);
    await answer(1, 500, '0');
    expect(called()).to.deep.equal(['1', '2', '3']);
    const recorded = await stores.queues.attempts(QUEUE, '1');
    expect(recorded?.attempts[0]?.cost).to.equal(10);
  });

  // holds: costs.ignored
  it('is not believed when the number is malformed or too large', async () => {
    start();
    await add(1, 1, 1);
    await answer(0, 200, 'ten');
    await answer(1, 200, '1000001');
    expect(called()).to.deep.equal(['1', '2', '3']);
  });

  // holds: costs.accepted
  it('says so in its report when it accepts the job', async () => {
    start({}, { accepted: 'defer' });
    await add(1, 1);
    const { token } = await webhook.nth(0);
    await answer(0, 202, '0');
    const call = { outcome: 'completed', cost: 10 } as const;
    const ending = { kind: 'completed', returnvalue: null, call } as const;
    await stores.attempts.reportEnding(QUEUE, { jobId: '1', token }, ending);
    await clock.advance(STRETCHED - 1);
    expect(called()).to.deep.equal(['1']);
    await clock.advance(1);
    expect(called()).to.deep.equal(['1', '2']);
  });

  // holds: costs.batches
  it('says so for each job of a batch in its results, not in the header', async () => {
    start({ batch: { size: 2 } });
    await add(1, 1, 1, 1);
    const results = [
      { id: '1', status: 'completed', cost: 5 },
      { id: '2', status: 'completed', cost: 'x' },
    ];
    await answer(0, 200, '1000', JSON.stringify({ results }));
    expect(called()).to.deep.equal(['1', '3']);
    const more = [
      { id: '3', status: 'failed', reason: 'no', cost: 4 },
      { id: '4', status: 'completed', cost: 1 },
    ];
    await answer(1, 200, '0', JSON.stringify({ results: more }));
    await add(1);
    expect(called()).to.deep.equal(['1', '3']);
    await clock.advance(STRETCHED);
    expect(called()).to.deep.equal(['1', '3', '5']);
  });
});
