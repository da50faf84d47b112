import { noPolicies } from '../../support/no-policies.ts';
import { expect } from 'chai';
import { AttemptLog } from '../../../src/application/attempts/attempt-log.ts';
import { CallCapacity } from '../../../src/application/calls/call-capacity.ts';
import { QueueConsumer } from '../../../src/application/calls/queue-consumer.ts';
import type { JobOptionsInput } from '../../../src/domain/jobs/job-options.ts';
import { newJob, type Job } from '../../../src/domain/jobs/job.ts';
import type { WorkerOptions } from '../../../src/domain/workers/worker-options.ts';
import { RandomTokens } from '../../../src/infrastructure/random-tokens.ts';
import { RecordingLogger } from '../../integration/http/support/recording-logger.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryStores, type MemoryStores } from '../../support/memory-stores.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { RecordedWebhook } from '../../support/recorded-webhook.ts';

const QUEUE = queueNamed('mail');

describe('an endpoint that asks to be called later', () => {
  let clock: FakeClock;
  let stores: MemoryStores;
  let webhook: RecordedWebhook;
  let logger: RecordingLogger;
  let consumers: QueueConsumer[];

  beforeEach(() => {
    clock = new FakeClock();
    stores = memoryStores(clock);
    webhook = new RecordedWebhook();
    logger = new RecordingLogger();
    consumers = [];
  });
  afterEach(async () => {
    const stopped = Promise.all(consumers.map((consumer) => consumer.stop()));
    for (const consumer of consumers) await consumer.giveUp();
    await stopped;
  });

  /** Starts that many replicas. */
  const start = (opts: WorkerOptions = {}, replicas = 1): void => {
    for (let replica = 0; replica < replicas; replica += 1) {
      const consumer = new QueueConsumer(
        { queue: QUEUE, endpoint: { url: 'http://localhost:1/', method: 'post' }, opts },
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
      consumers.push(consumer);
    }
  };

  const add = async (count: number, opts: JobOptionsInput = {}): Promise<void> => {
    const jobs = Array.from({ length: count }, () => newJob({ name: 'job', data: null, opts }, ''));
    await stores.queues.add(QUEUE, jobs);
    await settle();
  };

  const settle = (): Promise<void> => clock.advance(0);

  const answer = async (
    index: number,
    status: number,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<void> => {
    (await webhook.nth(index)).answer(status, '', headers);
    await settle();
  };

  const read = async (id = '1'): Promise<Job> => (await stores.queues.find(QUEUE, id))!;

  const called = (): string[] => webhook.calls.map(({ job }) => job.id);

  // holds: defer.queue, defer.no-attempt, defer.calls
  it('is not called until then, except for running calls, and then in order on all replicas', async () => {
    start({ concurrency: 30 }, 3);
    await add(100);
    const running = webhook.calls.length;
    expect(running).to.equal(30);
    await answer(7, 429, { 'retry-after': '10' });
    for (const index of [3, 20, 0]) await answer(index, 429, { 'retry-after': '10' });
    await answer(5, 200);
    await clock.advance(9999);
    expect(webhook.calls).to.have.lengthOf(running);
    const { attemptsMade, state } = await read(called()[7]);
    expect([attemptsMade, state]).to.deep.equal([0, 'waiting']);
    await clock.advance(1);
    expect(called().slice(running)).to.deep.equal(['1', '4', '8', '21', '31']);
  });

  // holds: defer.at-once
  it('is called again at once when it does not ask for a delay', async () => {
    start();
    await add(2);
    await answer(0, 503, { 'retry-after': '0' });
    await answer(1, 200);
    await answer(2, 200);
    expect(called()).to.deep.equal(['1', '1', '2']);
  });

  // holds: defer.job
  it('is called for other jobs when it defers only one', async () => {
    start();
    await add(2);
    await answer(0, 429, { 'retry-after': '10', 'jobgate-hold': 'job' });
    await answer(1, 200);
    await clock.advance(9999);
    expect(called()).to.deep.equal(['1', '2']);
    await clock.advance(1);
    expect(called()).to.deep.equal(['1', '2', '1']);
  });

  // holds: defer.max-deferrals
  it('uses up attempts beyond the deferrals that are allowed', async () => {
    start({ backpressure: { maxDeferrals: 2 } });
    await add(1, { attempts: 2 });
    for (let index = 0; index < 4; index += 1) {
      await answer(index, 429, { 'retry-after': '10' });
      await clock.advance(10_000);
    }
    expect(webhook.calls).to.have.lengthOf(4);
    expect(await read()).to.include({ state: 'failed', attemptsMade: 2, failedReason: 'HTTP 429' });
  });

  // holds: defer.without-header
  it('fails the attempt if it gives no time', async () => {
    start();
    await add(1);
    await answer(0, 429);
    expect(await read()).to.include({ state: 'failed', attemptsMade: 1 });
  });

  // holds: defer.statuses, defer.backoff
  it('need not give a time if the worker allows that', async () => {
    start({ backpressure: { statuses: [502] } });
    await add(2);
    await answer(0, 502);
    expect(await read()).to.include({ state: 'waiting', attemptsMade: 0 });
    await clock.advance(1000);
    expect(called()).to.deep.equal(['1', '1']);
  });

  // holds: defer.other-status
  it('sets the pause before the next attempt with any other failing status', async () => {
    start();
    await add(1, { attempts: 2, backoff: 60_000 });
    await answer(0, 500, { 'retry-after': '10' });
    expect(await read()).to.include({ state: 'delayed', attemptsMade: 1 });
    await clock.advance(10_000);
    expect(called()).to.deep.equal(['1', '1']);
  });

  // holds: defer.retry-for
  it('fails a job that could not be retried in time', async () => {
    start();
    await add(1, { attempts: 5, retryFor: 10_000 });
    await answer(0, 429, { 'retry-after': '10' });
    await clock.advance(10_000);
    await answer(1, 429, { 'retry-after': '1' });
    expect(await read()).to.include({ state: 'failed', failedReason: 'HTTP 429' });
  });

  it('may rule out another attempt', async () => {
    start();
    await add(1, { attempts: 5 });
    await answer(0, 429, { 'retry-after': '10', 'jobgate-no-retry': 'true' });
    expect(await read()).to.include({ state: 'failed', attemptsMade: 1 });
  });

  // holds: defer.counted
  it('is logged in one line for a hold, and at debug level for each job', async () => {
    start({ concurrency: 3 });
    await add(3);
    for (let index = 0; index < 3; index += 1) await answer(index, 429, { 'retry-after': '10' });
    const lines = logger.lines.map(({ level, message, fields }) => ({ level, message, ...fields }));
    const until = clock.now() + 10_000;
    const why = { until, status: 429, reason: 'HTTP 429' };
    expect(lines.filter(({ level }) => level === 'warn')).to.deep.equal([
      {
        level: 'warn',
        message: 'Queue held: its endpoint asks to be called later',
        queue: QUEUE,
        holds: 1,
        ...why,
      },
    ]);
    const deferred = ['1', '2', '3'].map((job) => ({
      level: 'debug',
      message: 'Job deferred',
      queue: QUEUE,
      job,
      attempt: 1,
      scope: 'queue',
      ...why,
    }));
    expect(lines.filter(({ level }) => level === 'debug')).to.deep.equal(deferred);
  });

  // holds: defer.counted
  it('is logged at growing intervals when it asks for short holds all the time', async () => {
    start({ backpressure: { maxHold: 100 } });
    await add(1);
    for (let index = 0; index < 50; index += 1) {
      await answer(index, 429, { 'retry-after': '10' });
      await clock.advance(100);
    }
    expect(logger.lines.filter(({ level }) => level === 'warn')).to.have.lengthOf(1);
  });

  // holds: hold.end
  it('is called again at once when the hold is ended, regardless of what the store answered before', async () => {
    start({ concurrency: 2 });
    await add(3);
    await answer(0, 429, { 'retry-after': '10' });
    await stores.queueControl.endHold(QUEUE);
    for (const consumer of consumers) consumer.askAgain();
    await settle();
    expect(called()).to.deep.equal(['1', '2', '1']);
  });
});
