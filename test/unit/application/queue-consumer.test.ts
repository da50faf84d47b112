import { noPolicies } from '../../support/no-policies.ts';
import { setImmediate } from 'node:timers/promises';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { claimOf } from '../../contracts/queue-steps.ts';
import { expect } from 'chai';
import sinon from 'sinon';
import { CallCapacity } from '../../../src/application/calls/call-capacity.ts';
import { AttemptLog } from '../../../src/application/attempts/attempt-log.ts';
import {
  QueueConsumer,
  type ConsumerDependencies,
} from '../../../src/application/calls/queue-consumer.ts';
import {
  EndpointCallError,
  ReplicaShortageError,
} from '../../../src/application/ports/webhook-port.ts';
import type { AttemptObserver } from '../../../src/application/ports/attempt-observer.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';
import { JOB_STATUSES, type JobCounts } from '../../../src/domain/jobs/job-status.ts';
import { newJob, type AddedJob, type Job, type JobInput } from '../../../src/domain/jobs/job.ts';
import { StalledSweep } from '../../../src/application/maintenance/stalled-sweep.ts';
import { RandomTokens } from '../../../src/infrastructure/random-tokens.ts';
import type { WorkerOptions } from '../../../src/domain/workers/worker-options.ts';
import type { Worker } from '../../../src/domain/workers/worker.ts';
import { RecordingLogger, type LogLine } from '../../integration/http/support/recording-logger.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryStores, type MemoryStores } from '../../support/memory-stores.ts';
import { RecordedWebhook } from '../../support/recorded-webhook.ts';

const QUEUE = queueNamed('mail');
const LOCK_DURATION = 30_000;
const RENEWAL_INTERVAL = 5000;

function worker(opts: WorkerOptions = {}, url = 'http://localhost:1/'): Worker {
  return { queue: QUEUE, endpoint: { url, method: 'post' }, opts };
}

describe('QueueConsumer', () => {
  let clock: FakeClock;
  let stores: MemoryStores;
  let webhook: RecordedWebhook;
  let consumer: QueueConsumer;
  let capacity: CallCapacity;
  let observer: AttemptObserver;
  let sweep: StalledSweep;
  let logger: RecordingLogger;

  beforeEach(() => {
    clock = new FakeClock();
    logger = new RecordingLogger();
    capacity = new CallCapacity(clock, logger);
    stores = memoryStores(clock);
    webhook = new RecordedWebhook();
    observer = new AttemptLog(logger, clock);
    sweep = new StalledSweep({
      attempts: stores.attempts,
      policies: noPolicies,
      clock,
      logger,
      observer,
      interval: 30_000,
    });
  });
  afterEach(async () => {
    const stopped = consumer.stop();
    await consumer.giveUp();
    await stopped;
    await sweep.stop();
    sinon.restore();
  });

  function start(opts?: WorkerOptions): QueueConsumer {
    consumer = consumerOf(worker(opts));
    consumer.start();
    sweep.watch(QUEUE, opts?.maxStalledCount ?? 1);
    void sweep.start();
    return consumer;
  }

  function consumerOf(of: Worker): QueueConsumer {
    return new QueueConsumer(of, dependencies());
  }

  function dependencies(): ConsumerDependencies {
    return {
      attempts: stores.attempts,
      holders: stores.attempts,
      policies: noPolicies,
      tokens: new RandomTokens(),
      webhook,
      clock,
      logger,
      observer,
      lockDuration: LOCK_DURATION,
      renewalInterval: RENEWAL_INTERVAL,
      capacity,
      disable: () => Promise.resolve(),
      notifyClosed: () => undefined,
    };
  }

  function messages(level: LogLine['level']): string[] {
    return logger.lines.filter((line) => line.level === level).map(({ message }) => message);
  }

  async function add(...inputs: Partial<JobInput>[]): Promise<readonly AddedJob[]> {
    const jobs = inputs.map((input) => newJob({ name: 'job', data: null, ...input }, ''));
    return stores.queues.add(QUEUE, jobs);
  }

  async function counts(): Promise<JobCounts> {
    const query = { statuses: JOB_STATUSES, start: 0, length: 0 };
    return (await stores.queues.list(QUEUE, query)).counts;
  }

  async function read(id: string): Promise<Job> {
    return (await stores.queues.find(QUEUE, id))!;
  }

  /** Checks as another replica, which may be the first to see what an outage left behind. */
  async function otherReplicaChecks(): Promise<void> {
    const checkAgainAt = clock.now() + 5000;
    const check = await stores.attempts.recoverStalled(QUEUE, 1);
    expect(check).to.deep.equal({ stalled: [], checkAgainAt });
  }

  function deferring(): Worker {
    const { endpoint, ...rest } = worker();
    return { ...rest, endpoint: { ...endpoint, accepted: 'defer' } };
  }

  async function otherReplicaChecksNothing(): Promise<void> {
    expect(await stores.attempts.recoverStalled(QUEUE, 1)).to.deep.equal({ stalled: [] });
  }

  /** Lets everything happen that can happen without time passing. */
  const settle = (): Promise<void> => clock.advance(0);

  // holds: batches.call
  it('claims for a call about as many large jobs as fit, judging by the call before', async () => {
    const claims = sinon.spy(stores.attempts, 'claimBatch');
    const sizes = (): readonly number[] => claims.args.map(([, { tokens }]) => tokens.length);
    await add(...Array.from({ length: 60 }, () => ({ data: 'x'.repeat(50_000) })));
    start({ batch: { size: 100 }, concurrency: 1 });
    (await webhook.nth(0)).answer(200, '');
    expect(sizes()).to.deep.equal([100]);
    await webhook.nth(1);
    expect(
      sizes()
        .slice(1)
        .every((size) => size < 25),
      String(sizes()),
    ).to.equal(true);
  });

  it('calls the endpoint with the job and its token, and stores what it answers', async () => {
    start();
    const [job] = await add({ name: 'welcome', data: { to: 'a@b' } });
    const call = await webhook.nth(0);
    expect(call.endpoint.url).to.equal('http://localhost:1/');
    expect(call.job).to.deep.include({ id: job!.id, name: 'welcome', data: { to: 'a@b' } });
    expect(call.token).to.have.lengthOf.at.least(22);
    call.answer(200, '{"sent":true}');
    await settle();
    expect((await read(job!.id)).returnvalue).to.deep.equal({ sent: true });
    expect(await counts()).to.deep.include({ active: 0, completed: 1 });
  });

  // holds: reports.during-call
  it('logs nothing about an answer that comes after its attempt was reported', async () => {
    start();
    await add({}, {}, {});
    const COMPLETED = { kind: 'completed', returnvalue: 7 } as const;
    const [first] = [await webhook.nth(0)];
    const held = { jobId: first.job.id, token: first.token };
    expect(await stores.attempts.reportEnding(QUEUE, held, COMPLETED)).to.equal('recorded');
    first.answer(500, 'too late');
    const second = await webhook.nth(1);
    const next = { jobId: second.job.id, token: second.token };
    await stores.attempts.reportEnding(QUEUE, next, COMPLETED);
    // Its slot is free by the time its lock would be renewed.
    await clock.advance(LOCK_DURATION / 2);
    expect((await webhook.nth(2)).job.id).to.equal('3');
    expect((await read('1')).returnvalue).to.equal(7);
    expect(messages('warn')).to.deep.equal([]);
  });

  // holds: deferred.accept, deferred.nothing-held
  it('leaves a job to an endpoint that accepts it, and keeps nothing for it', async () => {
    consumer = consumerOf(deferring());
    consumer.start();
    await add({}, {});
    const first = await webhook.nth(0);
    first.answer(202, '', { 'jobgate-deadline': '600000' });
    await settle();
    expect(await counts()).to.deep.include({ active: 1, waiting: 1 });
    // Neither a renewal nor the end of the lock makes any difference.
    await clock.advance(3 * LOCK_DURATION);
    await otherReplicaChecksNothing();
    expect(clock.sleepers, 'the wait for jobs').to.be.at.most(1);
    const held = { jobId: first.job.id, token: first.token };
    const ending = { kind: 'completed', returnvalue: 7 } as const;
    expect(await stores.attempts.reportEnding(QUEUE, held, ending)).to.equal('recorded');
    expect((await webhook.nth(1)).job.id).to.equal('2');
    expect(messages('warn')).to.deep.equal([]);
  });

  // holds: deferred.overtaken
  it('logs nothing about a job that was completed before the endpoint accepted it', async () => {
    consumer = consumerOf(deferring());
    consumer.start();
    await add({});
    const call = await webhook.nth(0);
    const held = { jobId: call.job.id, token: call.token };
    await stores.attempts.reportEnding(QUEUE, held, { kind: 'completed', returnvalue: 7 });
    call.answer(202);
    await settle();
    expect(await counts()).to.deep.include({ active: 0, completed: 1 });
    expect(messages('warn')).to.deep.equal([]);
  });

  // holds: worker-options.concurrency-default
  it('sends a call before it asks for the next job, which may wait', async () => {
    const steps: string[] = [];
    const claim = stores.attempts.claim.bind(stores.attempts);
    sinon.replace(stores.attempts, 'claim', (...request) => {
      steps.push('claim');
      return claim(...request);
    });
    const call = webhook.call.bind(webhook);
    sinon.replace(webhook, 'call', async (...request) => {
      // The client sends what it is given in the next turn of the event loop.
      void setImmediate().then(() => steps.push('call'));
      return call(...request);
    });
    await add({}, {});
    start({ concurrency: 2 });
    await webhook.nth(1);
    expect(steps.slice(0, 3)).to.deep.equal(['claim', 'call', 'claim']);
  });

  it('runs one call at a time by default', async () => {
    start();
    await add({}, {}, {});
    await settle();
    expect(webhook.open).to.equal(1);
    webhook.calls[0]!.answer();
    await settle();
    expect(webhook.open).to.equal(1);
    expect(webhook.calls).to.have.lengthOf(2);
  });

  it('runs as many calls as the concurrency allows, and no more', async () => {
    start({ concurrency: 3 });
    await add({}, {}, {}, {}, {});
    await settle();
    expect(webhook.open).to.equal(3);
    for (const call of [...webhook.calls]) call.answer();
    await settle();
    expect(webhook.open).to.equal(2);
    expect(webhook.mostOpen).to.equal(3);
  });

  it('shares the concurrency with other replicas', async () => {
    start({ concurrency: 2 });
    const other = consumerOf(worker({ concurrency: 2 }));
    other.start();
    await add({}, {}, {}, {});
    await settle();
    expect(webhook.open).to.equal(2);
    for (let index = 0; index < 4; index += 1) {
      webhook.calls[index]!.answer();
      await settle();
    }
    expect(webhook.mostOpen).to.equal(2);
    expect(await counts()).to.deep.include({ completed: 4 });
    await other.stop();
  });

  it('obeys the limiter', async () => {
    start({ concurrency: 10, limiter: { max: 2, duration: 1000 } });
    await add({}, {}, {});
    await settle();
    expect(webhook.calls).to.have.lengthOf(2);
    await clock.advance(1049);
    expect(webhook.calls).to.have.lengthOf(2);
    await clock.advance(1);
    expect(webhook.calls).to.have.lengthOf(3);
  });

  it('starts a due job in time, although it was waiting for the slots of others', async () => {
    // A store that only signals when there may be more jobs, as Redis does.
    const { attempts: port } = stores;
    const asksAfter = (_queue: QueueName, until: number, signal: AbortSignal): Promise<void> =>
      clock.sleep(until - clock.now(), signal);
    sinon.stub(port, 'waitForJobs').callsFake(asksAfter);
    await add({}, {});
    const request = { concurrency: 2, lockDuration: LOCK_DURATION };
    const elsewhere = await port.claim(QUEUE, claimOf(request));
    start({ concurrency: 2 });
    const here = await webhook.nth(0);
    await add({ opts: { delay: 1000 } });
    if (elsewhere.kind !== 'attempt') throw new Error('The other replica took no job');
    await port.settle(QUEUE, elsewhere.attempt, { kind: 'completed', returnvalue: null });
    here.answer();
    await clock.advance(1000);
    expect(webhook.calls).to.have.lengthOf(2);
  });

  // holds: options.backoff
  it('retries after the backoff, ahead of waiting jobs, until the attempts are used up', async () => {
    start();
    const opts = { attempts: 3, backoff: { type: 'exponential', delay: 1000 } };
    const [flaky] = await add({ name: 'flaky', opts });
    (await webhook.nth(0)).answer(500, '{"message":"first"}');
    await settle();
    expect(await read(flaky!.id)).to.deep.include({ attemptsMade: 1, failedReason: 'first' });
    await clock.advance(999);
    expect(webhook.calls).to.have.lengthOf(1);
    await clock.advance(1);
    expect(webhook.calls).to.have.lengthOf(2);
    await add({ name: 'waiting' });
    webhook.calls[1]!.answer(500, '{"message":"second"}');
    await settle();
    expect(webhook.calls[2]!.job.name).to.equal('waiting');
    await add({ name: 'also waiting' });
    await clock.advance(2000);
    webhook.calls[2]!.answer();
    await settle();
    expect(webhook.calls[3]!.job.name).to.equal('flaky');
    webhook.calls[3]!.answer(500, '{"message":"third"}');
    await settle();
    expect(await read(flaky!.id)).to.deep.include({
      attemptsMade: 3,
      failedReason: 'third',
      stacktrace: ['first', 'second', 'third'],
    });
    expect(await counts()).to.deep.include({ failed: 1 });
  });

  // holds: job-options.retry-for
  it('starts no further attempt once the time for retries is over', async () => {
    start();
    const opts = { attempts: 9, backoff: 1000, retryFor: 2500 };
    const [job] = await add({ opts });
    for (const [index, pause] of [1000, 1000, 5000].entries()) {
      (await webhook.nth(index)).answer(500, 'it broke');
      await clock.advance(pause);
    }
    expect(webhook.calls).to.have.lengthOf(3);
    const failed = { state: 'failed', attemptsMade: 3, failedReason: 'it broke' };
    expect(await read(job!.id)).to.deep.include(failed);
  });

  // holds: job-options.retry-for
  it('fails a job whose next attempt would start too late, with the last reason and without a call', async () => {
    start();
    const [job] = await add({ opts: { attempts: 9, backoff: 1000, retryFor: 1500 } });
    await add({ name: 'long' });
    (await webhook.nth(0)).answer(500, 'it broke');
    const long = await webhook.nth(1);
    await clock.advance(1600);
    long.answer();
    await settle();
    expect(webhook.calls).to.have.lengthOf(2);
    expect(await read(job!.id)).to.include({ state: 'failed', failedReason: 'it broke' });
  });

  it('keeps the finished jobs that the retention says', async () => {
    start({ removeOnComplete: { count: 1 }, removeOnFail: { count: 0 } });
    await add({}, {}, {});
    (await webhook.nth(0)).answer(200);
    (await webhook.nth(1)).answer(200);
    (await webhook.nth(2)).answer(500);
    await settle();
    expect(await counts()).to.deep.include({ completed: 1, failed: 0 });
  });

  it('renews the lock of a long call, so that it does not stall', async () => {
    start();
    const [job] = await add({});
    await webhook.nth(0);
    await clock.advance(10 * LOCK_DURATION);
    expect(webhook.calls).to.have.lengthOf(1);
    webhook.calls[0]!.answer();
    await settle();
    expect(await read(job!.id)).to.deep.include({ attemptsMade: 1, attemptsStarted: 1 });
    expect(await counts()).to.deep.include({ completed: 1 });
  });

  for (const outage of [LOCK_DURATION, 10 * LOCK_DURATION]) {
    it(`continues a long call through an outage of the store of ${String(outage)} ms`, async () => {
      start();
      const [job] = await add({});
      const call = await webhook.nth(0);
      await clock.advance(LOCK_DURATION / 2 - 1);
      sinon.stub(stores.attempts, 'renew').rejects(storeUnavailable('down'));
      sinon.stub(stores.attempts, 'recoverStalled').rejects(storeUnavailable('down'));
      await clock.advance(outage);
      sinon.restore();
      await otherReplicaChecks();
      await clock.advance(2 * LOCK_DURATION);
      expect(call.cancellation.isRequested).to.equal(false);
      call.answer();
      await settle();
      expect(await read(job!.id)).to.deep.include({ attemptsMade: 1, attemptsStarted: 1 });
      expect(webhook.calls).to.have.lengthOf(1);
    });
  }

  // holds: settings.pause
  it('keeps its job through a pause shorter than the lock, no matter when it begins', async () => {
    consumer = consumerOf(worker());
    consumer.start();
    const [job] = await add({});
    const call = await webhook.nth(0);
    await clock.advance(LOCK_DURATION / 2 - 1);
    sinon.stub(stores.attempts, 'renew').rejects(storeUnavailable('this process stands still'));
    for (const pause of [20_000, 5001, 4998]) {
      await clock.advance(pause);
      const { stalled } = await stores.attempts.recoverStalled(QUEUE, 1);
      expect(stalled).to.deep.equal([]);
    }
    sinon.restore();
    await clock.advance(1000);
    await stores.attempts.recoverStalled(QUEUE, 1);
    expect(call.cancellation.isRequested).to.equal(false);
    call.answer();
    await settle();
    expect(await read(job!.id)).to.deep.include({ attemptsMade: 1, attemptsStarted: 1 });
  });

  for (const fate of ['lost', 'held'] as const) {
    // holds: settings.pause
    it(`calls for a job only if it still holds it after a pause following its claim: ${fate}`, async () => {
      await add({});
      const claim = stores.attempts.claim.bind(stores.attempts);
      const stub = sinon.stub(stores.attempts, 'claim').callsFake(async (queue, request) => {
        const claimed = await claim(queue, request);
        stub.restore();
        await clock.advance(LOCK_DURATION + 1);
        await stores.attempts.recoverStalled(QUEUE, 1);
        if (fate === 'lost') {
          await clock.advance(5000);
          await stores.attempts.recoverStalled(QUEUE, 1);
          await stores.queueControl.pause(QUEUE);
        }
        return claimed;
      });
      consumer = consumerOf(worker());
      consumer.start();
      // The store is away at first.
      const renew = sinon.stub(stores.attempts, 'renew').rejects(storeUnavailable('down'));
      while (!renew.called) await setImmediate();
      expect(webhook.calls).to.have.lengthOf(0);
      renew.restore();
      await clock.advance(1000);
      expect(webhook.calls).to.have.lengthOf(fate === 'held' ? 1 : 0);
      expect(await counts()).to.include({ active: fate === 'held' ? 1 : 0 });
    });
  }

  // holds: cancel.place
  it('reports when the call for a cancelled job is over, and then takes the next job', async () => {
    start();
    const [first] = await add({}, {});
    const call = await webhook.nth(0);
    await stores.jobControl.cancel(QUEUE, first!.id, { reason: 'no' });
    const elsewhere = claimOf({ concurrency: 1, lockDuration: LOCK_DURATION });
    expect((await stores.attempts.claim(QUEUE, elsewhere)).kind).to.equal('idle');
    await consumer.endCancelled({ queue: QUEUE, jobId: first!.id });
    expect(call.cancellation.isRequested).to.equal(true);
    await webhook.nth(1);
    expect(webhook.mostOpen).to.equal(1);
  });

  // holds: cancel.place
  it('takes the next job when the call for a cancelled one is answered first', async () => {
    start();
    const [first] = await add({}, {});
    const call = await webhook.nth(0);
    await stores.jobControl.cancel(QUEUE, first!.id, { reason: 'no' });
    call.answer(200);
    await webhook.nth(1);
    expect(await counts()).to.include({ failed: 1, active: 1, completed: 0 });
  });

  it('counts a call that ended in an outage of the store longer than the lock', async () => {
    start();
    const [job] = await add({});
    const call = await webhook.nth(0);
    for (const step of ['renew', 'recoverStalled', 'settle'] as const) {
      sinon.stub(stores.attempts, step).rejects(storeUnavailable('down'));
    }
    call.answer(200, '"done"');
    await clock.advance(10 * LOCK_DURATION);
    sinon.restore();
    await otherReplicaChecks();
    await clock.advance(1000);
    expect(await read(job!.id)).to.deep.include({ returnvalue: 'done', attemptsStarted: 1 });
    expect(webhook.calls).to.have.lengthOf(1);
  });

  it('ends the call of a job that another holder got', async () => {
    start();
    await add({});
    const call = await webhook.nth(0);
    const renewed = sinon.stub(stores.attempts, 'renew');
    renewed.callsFake((_queue, attempts) => Promise.resolve(attempts));
    await clock.advance(LOCK_DURATION / 2);
    expect(call.cancellation.isRequested).to.equal(true);
  });

  it('takes over the job of a dead replica soon after its lock ran out', async () => {
    await stores.queues.add(QUEUE, [newJob({ name: 'job', data: 1 }, '')]);
    await stores.attempts.claim(QUEUE, claimOf({ concurrency: 1, lockDuration: LOCK_DURATION }));
    start();
    await clock.advance(LOCK_DURATION + 4999);
    expect(webhook.calls).to.have.lengthOf(0);
    await clock.advance(1 + 30_000);
    expect(webhook.calls).to.have.lengthOf(1);
  });

  // holds: states.stalled-interval
  it('takes over a job whose replica died, and fails it when that happened too often', async () => {
    const dead = await stores.queues.add(QUEUE, [newJob({ name: 'job', data: 1 }, '')]);
    await stores.attempts.claim(QUEUE, claimOf({ concurrency: 1, lockDuration: LOCK_DURATION }));
    start({ maxStalledCount: 0 });
    await clock.advance(61_000);
    expect(await read(dead[0]!.id)).to.deep.include({
      failedReason: 'job stalled more than allowable limit',
    });
    expect(webhook.calls).to.have.lengthOf(0);
    expect(await counts()).to.deep.include({ failed: 1, active: 0 });
  });

  // holds: worker-options.stalled-count-default, limits.stalled
  it('lets a job stall once, and no more, by default', async () => {
    const dieWithAJob = () =>
      stores.attempts.claim(QUEUE, claimOf({ concurrency: 2, lockDuration: 1 }));
    const check = async (): Promise<void> => {
      await clock.advance(5000);
      await stores.attempts.recoverStalled(QUEUE, 1);
    };
    const [twice] = await add({ name: 'twice' });
    await dieWithAJob();
    await check();
    await check();
    await add({ name: 'once' });
    await dieWithAJob();
    await dieWithAJob();
    start();
    await clock.advance(61_000);
    expect(webhook.calls.map(({ job }) => job.name)).to.deep.equal(['once']);
    expect(await read(twice!.id)).to.deep.include({
      failedReason: 'job stalled more than allowable limit',
    });
  });

  // holds: replicas.replacing
  it('starts new jobs under replaced settings while running calls finish under the old', async () => {
    start({ concurrency: 1 });
    await add({}, {}, {});
    await settle();
    consumer.replace(worker({ concurrency: 2 }, 'http://localhost:2/'));
    await settle();
    expect(webhook.calls.map(({ endpoint }) => endpoint.url)).to.deep.equal([
      'http://localhost:1/',
      'http://localhost:2/',
    ]);
    expect(webhook.calls[0]!.cancellation.isRequested).to.equal(false);
    webhook.calls[0]!.answer();
    await settle();
    expect(await counts()).to.deep.include({ completed: 1, active: 2 });
  });

  // holds: shutdown.no-job
  it('takes no more jobs once stopped, and lets running calls finish', async () => {
    start();
    await add({}, {});
    await webhook.nth(0);
    let stopped = false;
    const stop = consumer.stop().then(() => (stopped = true));
    await settle();
    expect(stopped).to.equal(false);
    webhook.calls[0]!.answer();
    await stop;
    expect(await counts()).to.deep.include({ completed: 1, waiting: 1, active: 0 });
  });

  it('puts back a job that it got while it stopped', async () => {
    start();
    await add({}, {});
    const call = await webhook.nth(0);
    const { attempts: port } = stores;
    const settleAtOnce = port.settle.bind(port);
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    sinon.stub(port, 'settle').callsFake(async (...args) => {
      const settled = await settleAtOnce(...args);
      await answered;
      return settled;
    });
    call.answer();
    await settle();
    const stopped = consumer.stop();
    answer();
    await stopped;
    expect(webhook.calls).to.have.lengthOf(1);
    expect(await counts()).to.deep.include({ completed: 1, waiting: 1, active: 0 });
  });

  it('puts running jobs back at the head when it gives up, with their attempts unchanged', async () => {
    start({ concurrency: 2 });
    const jobs = await add({}, {}, {});
    await webhook.nth(1);
    const stopped = consumer.stop();
    expect(await consumer.giveUp()).to.equal(2);
    await stopped;
    expect(webhook.calls.map(({ cancellation }) => cancellation.isRequested)).to.deep.equal([
      true,
      true,
    ]);
    expect(await counts()).to.deep.include({ waiting: 3, active: 0 });
    expect((await read(jobs[0]!.id)).attemptsMade).to.equal(0);
    const next = await stores.attempts.claim(QUEUE, claimOf({ concurrency: 1, lockDuration: 1 }));
    expect(next.kind === 'attempt' && next.attempt.job.id).to.be.oneOf([jobs[0]!.id, jobs[1]!.id]);
  });

  it('records a result that was ready while the store was away', async () => {
    start();
    const [job] = await add({});
    const call = await webhook.nth(0);
    const settling = sinon.stub(stores.attempts, 'settle').rejects(storeUnavailable('down'));
    call.answer(200, '"done"');
    await clock.advance(5000);
    expect(settling.callCount).to.be.greaterThan(1);
    settling.restore();
    await clock.advance(1000);
    expect((await read(job!.id)).returnvalue).to.equal('done');
  });

  it('resumes taking jobs when the store is back', async () => {
    const claiming = sinon.stub(stores.attempts, 'claim').rejects(storeUnavailable('down'));
    start();
    await add({});
    await clock.advance(3000);
    expect(claiming.callCount).to.be.greaterThan(1);
    claiming.restore();
    await clock.advance(1000);
    expect(webhook.calls).to.have.lengthOf(1);
  });

  // holds: attempts.claimed-again
  it('processes the job of a claim whose answer was lost', async () => {
    await add({ name: 'first' }, { name: 'second' });
    const claim = stores.attempts.claim.bind(stores.attempts);
    const claiming = sinon.stub(stores.attempts, 'claim').callThrough();
    claiming.onFirstCall().callsFake(async (queue, request) => {
      await claim(queue, request);
      throw storeUnavailable('the answer was lost');
    });
    start();
    await clock.advance(1000);
    expect(webhook.calls.map(({ job }) => job.name)).to.deep.equal(['first']);
    expect(await counts()).to.deep.include({ active: 1, waiting: 1 });
  });

  it('draws one token for the next job, no matter how often an ending is sent', async () => {
    start();
    await add({ name: 'first' }, { name: 'second' });
    const settleJob = stores.attempts.settle.bind(stores.attempts);
    const settling = sinon.stub(stores.attempts, 'settle').callThrough();
    settling.onFirstCall().rejects(storeUnavailable('down'));
    settling.onSecondCall().rejects(storeUnavailable('down'));
    settling.onThirdCall().callsFake(async (...ending) => {
      await settleJob(...ending);
      throw storeUnavailable('the answer was lost');
    });
    (await webhook.nth(0)).answer();
    await clock.advance(3000);
    const tokens = settling.getCalls().map(({ args }) => args[3]?.token);
    expect(tokens).to.have.lengthOf(4);
    expect(new Set(tokens).size).to.equal(1);
    expect(webhook.calls.map(({ job }) => job.name)).to.deep.equal(['first', 'second']);
    expect(webhook.calls[1]?.token).to.equal(tokens[0]);
    expect(await counts()).to.deep.include({ active: 1, completed: 1 });
  });

  // holds: attempts.claimed-again
  it('processes the job of a claim that an ending made, and whose answer was lost', async () => {
    start();
    await add({ name: 'first' }, { name: 'second' }, { name: 'third' });
    const settleJob = stores.attempts.settle.bind(stores.attempts);
    sinon.stub(stores.attempts, 'settle').callsFake(async (...ending) => {
      const settled = await settleJob(...ending);
      return { ...settled, next: undefined };
    });
    (await webhook.nth(0)).answer();
    await settle();
    expect(webhook.calls.map(({ job }) => job.name)).to.deep.equal(['first', 'second']);
    expect(await counts()).to.deep.include({ active: 1, waiting: 1 });
  });

  it('does not ask the store again when the last slot learned that nothing waits', async () => {
    const claiming = sinon.spy(stores.attempts, 'claim');
    start();
    await settle();
    expect(claiming.callCount).to.equal(1);
    await add({});
    (await webhook.nth(0)).answer();
    await settle();
    expect(claiming.callCount).to.equal(2);
  });

  describe('when something unexpected happens', () => {
    // holds: security.deep-answer
    it('keeps an answer that is nested too deep as its text, and calls once', async () => {
      start();
      const [job] = await add({});
      const body = '['.repeat(5000) + ']'.repeat(5000);
      (await webhook.nth(0)).answer(200, body);
      await settle();
      expect(await read(job!.id)).to.deep.include({ returnvalue: body, attemptsMade: 1 });
      await clock.advance(10 * LOCK_DURATION);
      expect(webhook.calls).to.have.lengthOf(1);
    });

    // holds: security.unrecorded-result
    it('fails an attempt whose result cannot be recorded, and continues', async () => {
      start();
      const [job] = await add({}, {});
      const settling = sinon.stub(stores.attempts, 'settle').callThrough();
      settling.onFirstCall().rejects(new RangeError('Maximum call stack size exceeded'));
      (await webhook.nth(0)).answer();
      (await webhook.nth(1)).answer();
      await settle();
      expect(await counts()).to.deep.include({ failed: 1, completed: 1, active: 0 });
      const { failedReason, attemptsMade } = await read(job!.id);
      expect(failedReason).to.equal('Unexpected error: RangeError');
      expect(attemptsMade).to.equal(1);
      expect(messages('error')).to.deep.equal(['An attempt ended in an unexpected error']);
    });

    // holds: security.unrecorded-result
    it('retries such an attempt like any other failed one', async () => {
      start();
      const [job] = await add({ opts: { attempts: 2, backoff: 1000 } });
      const settling = sinon.stub(stores.attempts, 'settle').callThrough();
      settling.onFirstCall().rejects(new TypeError('no'));
      (await webhook.nth(0)).answer();
      await clock.advance(1000);
      (await webhook.nth(1)).answer(200, '"done"');
      await settle();
      expect(await read(job!.id)).to.deep.include({ returnvalue: 'done', attemptsMade: 2 });
    });

    it('fails an attempt whose call ends in a defect', async () => {
      start();
      const [job] = await add({});
      (await webhook.nth(0)).fail(new TypeError('no'));
      await settle();
      expect((await read(job!.id)).failedReason).to.equal('Unexpected error: TypeError');
    });

    it('gives up the lock if not even the failure can be recorded, and logs that once', async () => {
      start({ concurrency: 2 });
      await add({}, { name: 'next' });
      const settling = sinon.stub(stores.attempts, 'settle').rejects(new TypeError('no'));
      (await webhook.nth(0)).answer();
      await settle();
      settling.restore();
      expect(messages('error')).to.deep.equal(['An attempt ended in an unexpected error']);
      webhook.calls[1]!.answer();
      await clock.advance(LOCK_DURATION);
      expect(await counts()).to.deep.include({ active: 1, completed: 1 });
      await clock.advance(2 * LOCK_DURATION);
      expect(webhook.calls.map(({ job }) => job.name)).to.deep.equal(['job', 'next', 'job']);
    });
  });

  describe('with a job that cannot be processed', () => {
    for (const [opts, field] of [
      [{ attempts: {} }, 'opts.attempts'],
      [{ attempts: '3' }, 'opts.attempts'],
      [{ backoff: null }, 'opts.backoff'],
      [{ attempts: 3, backoff: { type: 'fixed', delay: 'x' } }, 'opts.backoff.delay'],
    ] as const) {
      // holds: security.broken-record
      it(`fails it permanently without a call, naming ${field}: ${JSON.stringify(opts)}`, async () => {
        const { name, data, opts: sound } = newJob({ name: 'job', data: null }, '');
        const broken = { name, data, opts: { ...sound, ...opts } as unknown as typeof sound };
        const [job] = await stores.queues.add(QUEUE, [broken]);
        await add({ name: 'next' });
        start();
        (await webhook.nth(0)).answer();
        await settle();
        expect(webhook.calls.map((call) => call.job.name)).to.deep.equal(['next']);
        const { failedReason, attemptsMade } = await read(job!.id);
        expect(failedReason).to.contain(`${field} of the stored job must be `);
        expect(attemptsMade).to.equal(1);
        expect(await counts()).to.deep.include({ failed: 1, completed: 1 });
      });
    }
  });

  describe('when the replica runs short of connections', () => {
    const shortage = new ReplicaShortageError('EMFILE http://localhost:1');

    // holds: bounds.shortage
    it('puts the job back at the head, and tries again after a pause', async () => {
      start();
      const [job] = await add({ opts: { attempts: 1 } }, { name: 'next' });
      (await webhook.nth(0)).fail(shortage);
      await settle();
      expect(await counts()).to.deep.include({ waiting: 2, active: 0, failed: 0 });
      await clock.advance(499);
      expect(webhook.calls).to.have.lengthOf(1);
      await clock.advance(1);
      expect(webhook.calls[1]!.job.id).to.equal(job!.id);
      webhook.calls[1]!.answer();
      await settle();
      expect(await read(job!.id)).to.deep.include({ attemptsMade: 1, stacktrace: null });
      expect(await counts()).to.deep.include({ completed: 1, failed: 0 });
    });

    // holds: bounds.shortage
    it('makes fewer calls at once, and gradually more again', async () => {
      start({ concurrency: 8 });
      await add(...Array.from({ length: 40 }, () => ({})));
      await webhook.nth(7);
      webhook.calls[7]!.fail(shortage);
      await clock.advance(500);
      expect(webhook.open).to.equal(7);
      for (const call of webhook.calls.slice(0, 7)) call.answer();
      await settle();
      expect(webhook.open).to.equal(5);
      const answerAll = async (): Promise<void> => {
        for (const call of webhook.calls.slice(8)) call.answer();
        await settle();
      };
      await answerAll();
      expect(webhook.open).to.equal(5);
      await clock.advance(1000);
      await answerAll();
      expect(webhook.open).to.equal(6);
      for (let round = 0; round < 10; round += 1) await answerAll();
      expect(await counts()).to.deep.include({ completed: 40, failed: 0 });
    });

    it('keeps the bound for all queues together, and gives each its turn', async () => {
      start({ concurrency: 10 });
      await add(...Array.from({ length: 8 }, () => ({ name: 'mail' })));
      await webhook.nth(7);
      for (const call of webhook.calls.slice(4)) call.fail(shortage);
      await settle();
      const other = new QueueConsumer(
        { ...worker({ concurrency: 10 }), queue: queueNamed('other') },
        dependencies(),
      );
      const more = Array.from({ length: 6 }, () => newJob({ name: 'other', data: 1 }, ''));
      await stores.queues.add(queueNamed('other'), more);
      other.start();
      await clock.advance(500);
      expect(webhook.open).to.equal(4);
      for (const call of webhook.calls.slice(0, 4)) call.answer();
      await settle();
      expect(webhook.open).to.equal(3);
      const names = [];
      for (let round = 8; round < 18; round += 1) {
        const call = await webhook.nth(round);
        names.push(call.job.name);
        call.answer();
        await settle();
        expect(webhook.open).to.be.below(5);
      }
      expect(names.slice(0, 5)).to.include.members(['mail', 'other']);
      expect(await counts()).to.deep.include({ completed: 8, failed: 0 });
      await other.stop();
    });

    it('logs the shortage at growing intervals', async () => {
      start();
      await add({});
      for (let turn = 0; turn < 200; turn += 1) {
        (await webhook.nth(turn)).fail(shortage);
        await clock.advance(500);
      }
      const lines = logger.lines.filter(({ message }) => message.includes('ran short'));
      expect(lines).to.have.lengthOf(4);
      expect(lines[0]!.fields).to.deep.equal({
        reason: 'EMFILE http://localhost:1',
        calls: 1,
        shortages: 1,
      });
      expect(await counts()).to.deep.include({ failed: 0 });
    });
  });

  describe('log', () => {
    const failures = (): LogLine[] =>
      logger.lines.filter(({ message }) => message === 'Job failed');

    // holds: security.failed-jobs-logged
    it('has one line for a job that failed permanently, with the status of the last answer', async () => {
      start();
      const [job] = await add({ opts: { attempts: 2 } });
      (await webhook.nth(0)).answer(500, '{"message":"first"}');
      (await webhook.nth(1)).answer(503, JSON.stringify({ message: 'x'.repeat(300) }));
      await settle();
      expect(failures().map(({ level, fields }) => ({ level, ...fields }))).to.deep.equal([
        {
          level: 'warn',
          queue: QUEUE,
          job: job!.id,
          attempts: 2,
          status: 503,
          reason: `${'x'.repeat(200)}…`,
        },
      ]);
    });

    it('has one for a call that was not answered', async () => {
      start();
      await add({ data: { target: 'localhost:1' } });
      (await webhook.nth(0)).fail(
        new EndpointCallError('ECONNREFUSED http://localhost:1', 'refused'),
      );
      await settle();
      expect(failures()[0]!.fields).to.deep.include({ reason: 'ECONNREFUSED http://localhost:1' });
      expect(failures()[0]!.fields).not.to.have.property('status');
    });

    it('has one for a job that stalled too often', async () => {
      const [job] = await add({});
      await stores.attempts.claim(QUEUE, claimOf({ concurrency: 1, lockDuration: LOCK_DURATION }));
      start({ maxStalledCount: 0 });
      await clock.advance(61_000);
      expect(failures().map(({ fields }) => fields)).to.deep.equal([
        {
          queue: QUEUE,
          job: job!.id,
          attempts: 1,
          reason: 'job stalled more than allowable limit',
        },
      ]);
    });

    // holds: security.failed-jobs-logged
    it('has at most ten a second, and counts the rest', async () => {
      start({ concurrency: 100 });
      await add(...Array.from({ length: 35 }, () => ({})));
      await webhook.nth(34);
      for (const call of webhook.calls.slice(0, 34)) call.answer(500);
      await settle();
      expect(failures()).to.have.lengthOf(10);
      await clock.advance(999);
      expect(messages('warn')).not.to.include('More jobs failed');
      await clock.advance(1);
      const rest = logger.lines.filter(({ message }) => message === 'More jobs failed');
      expect(rest.map(({ fields }) => fields)).to.deep.equal([{ queue: QUEUE, jobs: 24 }]);
      webhook.calls[34]!.answer(500);
      await settle();
      expect(failures()).to.have.lengthOf(11);
    });

    // holds: security.failed-jobs-logged
    it('counts the rest at the end, too', async () => {
      start({ concurrency: 100 });
      await add(...Array.from({ length: 12 }, () => ({})));
      await webhook.nth(11);
      for (const call of webhook.calls) call.answer(500);
      await settle();
      await consumer.stop();
      const rest = logger.lines.filter(({ message }) => message === 'More jobs failed');
      expect(rest.map(({ fields }) => fields)).to.deep.equal([{ queue: QUEUE, jobs: 2 }]);
    });

    it('never has what an endpoint repeats of its request, at any level', async () => {
      start({ concurrency: 5 });
      await add({ data: { card: '4111-1111', note: 'top secret' }, opts: { attempts: 2 } });
      for (const [index, words] of ['card 41111111 declined', 'token'].entries()) {
        const call = await webhook.nth(index);
        const message = words === 'token' ? `bad token ${call.token}` : words;
        call.answer(422, JSON.stringify({ message }));
        await settle();
      }
      const lines = logger.lines.filter(({ fields }) => 'reason' in fields);
      expect(lines.map(({ fields }) => fields['reason'])).to.deep.equal(['HTTP 422', 'HTTP 422']);
    });
  });
});
