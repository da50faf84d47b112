import type { KeptWorkers } from '../../../src/application/kept/workers.ts';
import { saveWorker } from '../../support/collections.ts';
import { noPolicies } from '../../support/no-policies.ts';
import { queueNamed } from '../../support/queue-named.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { expect } from 'chai';
import sinon from 'sinon';
import { AttemptLog } from '../../../src/application/attempts/attempt-log.ts';
import { StalledSweep } from '../../../src/application/maintenance/stalled-sweep.ts';
import type { Claim } from '../../../src/domain/attempts/claim.ts';
import { EndpointCallError } from '../../../src/application/ports/webhook-port.ts';
import type { LoggerPort } from '../../../src/application/ports/logger-port.ts';
import { KnownWorkers } from '../../../src/application/kept/known-workers.ts';
import { Fleet } from '../../../src/application/workers/fleet.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';
import { newJob } from '../../../src/domain/jobs/job.ts';
import type { JobCounts } from '../../../src/domain/jobs/job-status.ts';
import { enabledWorker } from '../../../src/domain/workers/worker-disabling.ts';
import type { Worker } from '../../../src/domain/workers/worker.ts';
import { RandomTokens } from '../../../src/infrastructure/random-tokens.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryStores, type MemoryStores } from '../../support/memory-stores.ts';
import { RecordedWebhook } from '../../support/recorded-webhook.ts';
import { silentLogger } from '../../support/silent-logger.ts';

function workerOf(queue: QueueName, port = 1): Worker {
  return { queue, endpoint: { url: `http://localhost:${port}/`, method: 'post' } };
}

describe('Fleet', () => {
  let clock: FakeClock;
  let stores: MemoryStores;
  let webhook: RecordedWebhook;
  let logger: sinon.SinonSpiedInstance<LoggerPort>;
  let known: KnownWorkers;
  let fleet: Fleet;

  beforeEach(() => {
    clock = new FakeClock();
    stores = memoryStores(clock);
    webhook = new RecordedWebhook();
    logger = sinon.spy({ ...silentLogger });
    const observer = new AttemptLog(logger, clock);
    const sweep = new StalledSweep({
      attempts: stores.attempts,
      policies: noPolicies,
      clock,
      logger,
      observer,
      interval: 30_000,
    });
    known = new KnownWorkers(stores.workers, logger);
    fleet = new Fleet(stores.workers, known, stores.signals, sweep, {
      attempts: stores.attempts,
      holders: stores.attempts,
      policies: noPolicies,
      tokens: new RandomTokens(),
      webhook,
      clock,
      logger,
      observer,
      lockDuration: 30_000,
      renewalInterval: 5000,
    });
  });
  afterEach(async () => {
    await fleet.stop(AbortSignal.abort()).catch(() => undefined);
    sinon.restore();
  });

  const settle = (): Promise<void> => clock.advance(0);

  /** Stores a worker, as the use case does. */
  async function save(worker: Worker): Promise<void> {
    await saveWorker(stores.workers, worker);
    stores.signals.send('workers', { queue: worker.queue });
  }

  async function remove(queue: QueueName): Promise<void> {
    await stores.workers.remove(queue);
    stores.signals.send('workers', { queue });
  }

  async function add(queue: QueueName): Promise<void> {
    await stores.queues.add(queue, [newJob({ name: 'job', data: queue }, '')]);
    await settle();
  }

  const called = (): string[] => webhook.calls.map(({ endpoint }) => endpoint.url);

  // holds: record.start
  it('starts the stored workers, and is then reconciled', async () => {
    await save(workerOf(queueNamed('mail'), 1));
    await save(workerOf(queueNamed('news'), 2));
    expect(fleet.reconciled).to.equal(false);
    await fleet.start();
    await settle();
    expect(fleet.reconciled).to.equal(true);
    await add(queueNamed('mail'));
    await add(queueNamed('news'));
    expect(called()).to.deep.equal(['http://localhost:1/', 'http://localhost:2/']);
  });

  // holds: record.wake-up
  it('applies a change before its caller continues', async () => {
    await fleet.start();
    await save(workerOf(queueNamed('mail'), 1));
    await fleet.reconcile(queueNamed('mail'));
    await save(workerOf(queueNamed('mail'), 2));
    await fleet.reconcile(queueNamed('mail'));
    await add(queueNamed('mail'));
    expect(called()).to.deep.equal(['http://localhost:2/']);
    webhook.calls[0]!.answer();
    await settle();
    await remove(queueNamed('mail'));
    await fleet.reconcile(queueNamed('mail'));
    await add(queueNamed('mail'));
    expect(called()).to.have.lengthOf(1);
  });

  // holds: record.interval
  it('reads the record every 15 s even if no message came', async () => {
    sinon.stub(stores.signals, 'listen').returns(() => undefined);
    await fleet.start();
    await settle();
    await save(workerOf(queueNamed('mail')));
    await add(queueNamed('mail'));
    await clock.advance(14_999);
    expect(called()).to.deep.equal([]);
    await clock.advance(1);
    expect(called()).to.have.lengthOf(1);
  });

  // holds: record.burst
  it('applies any burst of changes exactly', async () => {
    await fleet.start();
    const queues = Array.from({ length: 200 }, (_, index) => `queue-${index}`);
    await Promise.all(queues.map((queue) => save(workerOf(queueNamed(queue), 1))));
    await Promise.all(queues.map((queue) => save(workerOf(queueNamed(queue), 2))));
    await Promise.all(queues.slice(100).map((queue) => remove(queueNamed(queue))));
    await settle();
    for (const queue of queues) await add(queueNamed(queue));
    expect(called()).to.deep.equal(Array.from({ length: 100 }, () => 'http://localhost:2/'));
  });

  // holds: record.outage
  it('is not reconciled while the store is away, and heals', async () => {
    const reading = sinon.stub(stores.workers, 'ids').rejects(storeUnavailable('down'));
    await fleet.start();
    await clock.advance(5000);
    expect(fleet.reconciled).to.equal(false);
    expect(reading.callCount).to.be.greaterThan(1);
    reading.restore();
    await clock.advance(1000);
    expect(fleet.reconciled).to.equal(true);
  });

  it('keeps its workers running when the record cannot be read', async () => {
    await save(workerOf(queueNamed('mail')));
    await fleet.start();
    await settle();
    sinon.stub(stores.workers, 'ids').rejects(storeUnavailable('down'));
    sinon.stub(stores.workers, 'list').rejects(storeUnavailable('down'));
    await clock.advance(15_000);
    await add(queueNamed('mail'));
    expect(called()).to.have.lengthOf(1);
  });

  it('reports each invalid record once for each problem, and runs the others', async () => {
    const [mail, broken] = [queueNamed('mail'), queueNamed('broken')];
    let problem: string | undefined = 'The record is not JSON';
    await save(workerOf(mail));
    await save(workerOf(broken));
    const list = stores.workers.list.bind(stores.workers);
    sinon.stub(stores.workers, 'list').callsFake(async (queues) => {
      const { records, invalid } = await list(queues);
      if (problem === undefined || !records.has(broken)) return { records, invalid };
      const others = [...records].filter(([queue]) => queue !== broken);
      return { records: new Map(others), invalid: new Map([[broken, problem]]) };
    });
    await fleet.start();
    await clock.advance(60_000);
    const report = (text: string) => [
      'A stored worker is invalid and is skipped',
      { queue: 'broken', problem: text },
    ];
    expect(logger.error.args).to.deep.equal([report('The record is not JSON')]);
    await add(mail);
    await add(broken);
    expect(called()).to.have.lengthOf(1);
    problem = undefined;
    await fleet.reconcile(broken);
    await settle();
    expect(called()).to.have.lengthOf(2);
    problem = 'The record is not an object';
    await fleet.reconcile(broken);
    expect(logger.error.args.slice(1)).to.deep.equal([report('The record is not an object')]);
    webhook.calls[1]!.answer();
    await settle();
    expect(logger.info.lastCall.args).to.deep.equal(['Worker stopped', { queue: 'broken' }]);
  });

  describe('with many workers', () => {
    const queues = Array.from({ length: 100 }, (_, n) => queueNamed(`queue-${n}`));
    let reads: sinon.SinonSpy<Parameters<KeptWorkers['list']>, ReturnType<KeptWorkers['list']>>;

    beforeEach(async () => {
      for (const queue of queues) await save(workerOf(queue));
      await fleet.start();
      await settle();
      reads = sinon.spy(stores.workers, 'list');
    });

    const read = (): readonly QueueName[] => reads.args.flatMap(([some = []]) => some);

    // holds: record.one
    it('reads only the worker that changed', async () => {
      await save(workerOf(queues[7]!, 2));
      await fleet.reconcile(queues[7]!);
      expect(new Set(read())).to.deep.equal(new Set([queues[7]]));
      await remove(queues[8]!);
      await fleet.reconcile(queues[8]!);
      expect(new Set(read())).to.deep.equal(new Set([queues[7], queues[8]]));
      for (const queue of [queues[7]!, queues[8]!]) await add(queue);
      expect(called()).to.deep.equal(['http://localhost:2/']);
    });

    // holds: record.one
    it('reads workers together that change at the same time, a few at once', async () => {
      await Promise.all(queues.map((queue) => save(workerOf(queue, 2))));
      await settle();
      expect(read().length).to.be.at.most(queues.length + 1);
      expect(reads.callCount).to.be.at.most(7);
      for (const [some = []] of reads.args) expect(some.length).to.be.at.most(20);
    });

    // holds: record.one
    it('reads all of them a few at once when any may have changed, and replaces those that did', async () => {
      await saveWorker(stores.workers, workerOf(queues[7]!, 2));
      await stores.workers.remove(queues[8]!);
      stores.signals.send('workers');
      await settle();
      expect(read()).to.have.members(queues);
      for (const [some = []] of reads.args) expect(some.length).to.be.at.most(20);
      for (const queue of [queues[7]!, queues[8]!]) await add(queue);
      expect(called()).to.deep.equal(['http://localhost:2/']);
      expect(await known.workerOf(queues[8]!)).to.equal(undefined);
    });

    // holds: record.one
    it('applies a change while it reads all of them', async () => {
      const list = stores.workers.list.bind(stores.workers);
      reads.restore();
      let go = (): void => undefined;
      const blocked = new Promise<void>((resolve) => (go = resolve));
      const piece = sinon.stub(stores.workers, 'list').callsFake(async (some) => {
        await blocked;
        return list(some);
      });
      stores.signals.send('workers');
      await settle();
      await saveWorker(stores.workers, workerOf(queues[99]!, 2));
      const applied = fleet.reconcile(queues[99]!);
      go();
      await applied;
      // The rest of the five pieces follows.
      expect(piece.callCount).to.be.below(6);
      expect((await known.workerOf(queues[99]!))?.endpoint.url).to.equal('http://localhost:2/');
    });

    it('lists and finds what it knows without reading it again', async () => {
      expect(await known.all()).to.have.lengthOf(100);
      expect(await known.workersOf(queues.slice(0, 3))).to.have.all.keys(queues.slice(0, 3));
      expect(read()).to.deep.equal([]);
      await saveWorker(stores.workers, workerOf(queueNamed('unheard')));
      await stores.workers.remove(queues[8]!);
      const listed = (await known.all()).map(({ queue }) => queue);
      expect(listed).to.have.lengthOf(100).and.include('unheard').and.not.include(queues[8]);
      expect(read()).to.deep.equal(['unheard']);
    });
  });

  it('logs the address of an endpoint without its path and query', async () => {
    const endpoint = { url: 'http://localhost:1/secret?key=secret', method: 'post' } as const;
    await save({ queue: queueNamed('mail'), endpoint });
    await fleet.start();
    await settle();
    expect(logger.info.args).to.deep.equal([
      ['Worker started', { queue: 'mail', endpoint: 'http://localhost:1' }],
    ]);
  });

  it('logs no address of a worker whose jobs name their own', async () => {
    const endpoint = { url: null, method: 'post' } as const;
    await save({ queue: queueNamed('mail'), endpoint });
    await fleet.start();
    await settle();
    expect(logger.info.args).to.deep.equal([['Worker started', { queue: 'mail' }]]);
  });

  // holds: shutdown.no-job
  it('takes no more jobs and starts no more workers once it drains, and lets running calls continue', async () => {
    await save(workerOf(queueNamed('mail')));
    await fleet.start();
    await add(queueNamed('mail'));
    await fleet.drain();
    await save(workerOf(queueNamed('news')));
    await add(queueNamed('mail'));
    await add(queueNamed('news'));
    await clock.advance(60_000);
    expect(called()).to.have.lengthOf(1);
    const stop = fleet.stop(new AbortController().signal);
    webhook.calls[0]!.answer();
    await stop;
    const { counts } = await stores.queues.list(queueNamed('mail'), {
      statuses: [],
      start: 0,
      length: 0,
    });
    expect(counts).to.deep.include({ waiting: 1, completed: 1 });
  });

  it('does not delay a change of a worker while it drains', async () => {
    await fleet.start();
    await fleet.drain();
    await save(workerOf(queueNamed('mail')));
    await fleet.reconcile(queueNamed('mail'));
  });

  it('waits for running calls when it stops', async () => {
    await save(workerOf(queueNamed('mail')));
    await fleet.start();
    await add(queueNamed('mail'));
    let stopped = false;
    const stop = fleet.stop(new AbortController().signal).then(() => (stopped = true));
    await settle();
    expect(stopped).to.equal(false);
    webhook.calls[0]!.answer();
    await stop;
  });

  it('waits for the last calls of a removed worker too', async () => {
    await save(workerOf(queueNamed('mail')));
    await fleet.start();
    await add(queueNamed('mail'));
    await remove(queueNamed('mail'));
    await fleet.reconcile(queueNamed('mail'));
    let stopped = false;
    const stop = fleet.stop(new AbortController().signal).then(() => (stopped = true));
    await settle();
    expect(stopped).to.equal(false);
    webhook.calls[0]!.answer();
    await stop;
  });

  it('logs that a worker stopped once, when it was removed and registered again during a call', async () => {
    const mail = queueNamed('mail');
    await save(workerOf(mail, 1));
    await fleet.start();
    await add(mail);
    await remove(mail);
    await fleet.reconcile(queueNamed('mail'));
    await save(workerOf(mail, 2));
    await fleet.reconcile(queueNamed('mail'));
    await add(mail);
    webhook.calls[0]!.answer();
    await settle();
    const lines = (): string[] => logger.info.args.map(([message]) => message);
    expect(lines()).to.deep.equal(['Worker started', 'Worker replaced']);
    const stopped = fleet.stop(new AbortController().signal);
    for (const call of webhook.calls.slice(1)) call.answer();
    await stopped;
    expect(lines()).to.deep.equal(['Worker started', 'Worker replaced', 'Worker stopped']);
  });

  it('logs that a worker stopped once, when the last of its calls has ended', async () => {
    const mail = queueNamed('mail');
    await save({ ...workerOf(mail), opts: { concurrency: 2 } });
    await fleet.start();
    await add(mail);
    await remove(mail);
    await fleet.reconcile(queueNamed('mail'));
    await save({ ...workerOf(mail), opts: { concurrency: 2 } });
    await fleet.reconcile(queueNamed('mail'));
    await add(mail);
    const stopped = fleet.stop(new AbortController().signal);
    const stops = (): number =>
      logger.info.args.filter(([message]) => message === 'Worker stopped').length;
    webhook.calls[1]!.answer();
    await settle();
    expect(stops()).to.equal(0);
    webhook.calls[0]!.answer();
    await stopped;
    expect(stops()).to.equal(1);
  });

  it('puts jobs back at the deadline, and says that it had to', async () => {
    await save(workerOf(queueNamed('mail')));
    await fleet.start();
    await add(queueNamed('mail'));
    const deadline = new AbortController();
    const stop = fleet.stop(deadline.signal);
    await settle();
    deadline.abort();
    const error = await stop.then(
      () => undefined,
      (reason: unknown) => reason as Error,
    );
    expect(error?.message).to.equal('Calls still ran at the deadline and were given up');
    const { counts } = await stores.queues.list(queueNamed('mail'), {
      statuses: [],
      start: 0,
      length: 0,
    });
    expect(counts).to.deep.include({ waiting: 1, active: 0 });
  });

  it('puts no job back at the deadline if only the store was slow', async () => {
    await save(workerOf(queueNamed('mail')));
    let answer = (): void => undefined;
    const slow = new Promise<Claim>((resolve) => {
      answer = () => resolve({ kind: 'idle' });
    });
    sinon.stub(stores.attempts, 'claim').returns(slow);
    await fleet.start();
    await settle();
    const deadline = new AbortController();
    const stop = fleet.stop(deadline.signal);
    await settle();
    deadline.abort();
    answer();
    await stop;
  });

  describe('when a job is cancelled', () => {
    const mail = queueNamed('mail');

    async function cancel(jobId: string): Promise<void> {
      await stores.jobControl.cancel(mail, jobId, { reason: 'Cancelled' });
      stores.signals.send('cancelled', { queue: mail, jobId });
      await settle();
    }

    // holds: cancel.aborts, cancel.slot
    it('ends its call at once, and takes the next job in its slot', async () => {
      await save(workerOf(mail));
      await fleet.start();
      await add(mail);
      await add(mail);
      await cancel('1');
      expect(webhook.calls[0]!.cancellation.isRequested).to.equal(true);
      expect(webhook.open).to.equal(1);
      expect(webhook.calls[1]!.job.id).to.equal('2');
      sinon.assert.notCalled(logger.warn);
      sinon.assert.notCalled(logger.error);
    });

    // holds: cancel.aborts
    it('ends the call of a worker that was removed in the meantime', async () => {
      await save(workerOf(mail));
      await fleet.start();
      await add(mail);
      await remove(mail);
      await settle();
      await cancel('1');
      expect(webhook.open).to.equal(0);
    });

    // holds: cancel.aborts
    it('ends its call while the replica stops', async () => {
      await save(workerOf(mail));
      await fleet.start();
      await add(mail);
      const stopped = fleet.stop(new AbortController().signal);
      await settle();
      await cancel('1');
      await stopped;
      expect(webhook.open).to.equal(0);
    });

    // holds: cancel.aborts
    it('ends its call when the signal was missed and the connection is back', async () => {
      await save(workerOf(mail));
      await fleet.start();
      await add(mail);
      await stores.jobControl.cancel(mail, '1', { reason: 'Cancelled' });
      await settle();
      expect(webhook.open).to.equal(1);
      stores.signals.send('cancelled');
      await settle();
      expect(webhook.open).to.equal(0);
    });

    // holds: cancel.aborts
    it('ends its call when the lock is renewed, at the latest', async () => {
      await save(workerOf(mail));
      await fleet.start();
      await add(mail);
      await stores.jobControl.cancel(mail, '1', { reason: 'Cancelled' });
      await clock.advance(15_000);
      expect(webhook.open).to.equal(0);
    });

    it('lets a call continue that a late signal meets after the job was retried', async () => {
      await save(workerOf(mail));
      await fleet.start();
      await add(mail);
      await cancel('1');
      await stores.jobControl.retry(mail, '1', {});
      await settle();
      stores.signals.send('cancelled', { queue: mail, jobId: '1' });
      stores.signals.send('cancelled', { queue: mail });
      stores.signals.send('cancelled', { queue: queueNamed('news'), jobId: '1' });
      await settle();
      expect(webhook.calls).to.have.lengthOf(2);
      expect(webhook.open).to.equal(1);
    });
  });

  describe('when a queue is held', () => {
    const [mail, news] = [queueNamed('mail'), queueNamed('news')];

    beforeEach(async () => {
      for (const queue of [mail, news]) {
        await save(workerOf(queue));
        await stores.queueControl.hold(queue, 60_000);
      }
      await fleet.start();
      for (const queue of [mail, news]) await add(queue);
    });

    it('makes no call until the hold is over, and then at once', async () => {
      await clock.advance(59_999);
      expect(webhook.calls).to.have.lengthOf(0);
      await clock.advance(1);
      expect(webhook.calls).to.have.lengthOf(2);
    });

    // holds: hold.end
    it('goes on at once when it hears that the queue was opened', async () => {
      await stores.queueControl.endHold(mail);
      await stores.queueControl.endHold(news);
      await settle();
      expect(webhook.calls).to.have.lengthOf(0);
      stores.signals.send('opened', { queue: mail });
      await settle();
      expect(webhook.calls.map(({ job }) => job.queue)).to.deep.equal([mail]);
      stores.signals.send('opened');
      await settle();
      expect(webhook.calls.map(({ job }) => job.queue)).to.deep.equal([mail, news]);
    });
  });

  describe('when a worker is disabled', () => {
    const mail = queueNamed('mail');
    const DISABLE = { 'webhook-delivery': 'disable' };

    async function change(to: (worker: Worker) => Worker | undefined): Promise<void> {
      await stores.workers.change(mail, to);
      stores.signals.send('workers', { queue: mail });
      await settle();
    }

    const lines = (level: 'info' | 'warn' | 'error'): string[] =>
      logger[level].args.map(([message]) => message);

    async function counts(): Promise<JobCounts> {
      return (await stores.queues.list(mail, { statuses: [], start: 0, length: 0 })).counts;
    }

    // holds: worker-disabling.waits, worker-disabling.log
    it('starts no further call, lets the running one finish, and goes on when it is enabled', async () => {
      await save(workerOf(mail));
      await fleet.start();
      await add(mail);
      await add(mail);
      await change((worker) => ({ ...worker, disabled: { since: 1, reason: 'moved' } }));
      webhook.calls[0]!.answer();
      await clock.advance(60_000);
      expect(webhook.calls).to.have.lengthOf(1);
      expect(await counts()).to.include({ completed: 1, waiting: 1 });
      await change(enabledWorker);
      expect(webhook.open).to.equal(1);
      expect(logger.info.args.slice(1)).to.deep.equal([
        ['Worker disabled', { queue: 'mail', reason: 'moved' }],
        ['Worker enabled', { queue: 'mail' }],
      ]);
    });

    for (const [status, headers, reason, ended] of [
      [200, DISABLE, 'The endpoint answered webhook-delivery: disable', { completed: 1 }],
      [500, DISABLE, 'The endpoint answered webhook-delivery: disable', { failed: 1 }],
      [410, {}, 'The endpoint answered 410 Gone', { failed: 1 }],
    ] as const) {
      // holds: worker-disabling.answer, worker-disabling.gone
      it(`is disabled by ${reason} with ${status}, and its attempt counts by the status`, async () => {
        await save({ ...workerOf(mail), opts: { disableOnGone: true } });
        await fleet.start();
        await add(mail);
        await add(mail);
        webhook.calls[0]!.answer(status, '', headers);
        await settle();
        expect(webhook.calls).to.have.lengthOf(1);
        expect(await counts()).to.include({ ...ended, waiting: 1, active: 0 });
        const stored = await stores.workers.find(mail);
        expect(stored?.disabled).to.deep.equal({ since: clock.now(), reason });
        expect(lines('info')).to.deep.equal(['Worker started', 'Worker disabled']);
      });
    }

    it('is not disabled by 410 unless it asks for that', async () => {
      await save(workerOf(mail));
      await fleet.start();
      await add(mail);
      webhook.calls[0]!.answer(410);
      await settle();
      expect(await stores.workers.find(mail)).not.to.have.property('disabled');
    });

    // holds: worker-disabling.old-answer
    it('is not disabled by the answer to a call of an earlier registration', async () => {
      await save({ ...workerOf(mail), registration: 'one' });
      await fleet.start();
      await add(mail);
      await add(mail);
      await save({ ...workerOf(mail), registration: 'two' });
      webhook.calls[0]!.answer(200, '', DISABLE);
      await settle();
      expect(await stores.workers.find(mail)).not.to.have.property('disabled');
      expect(webhook.calls).to.have.lengthOf(2);
      expect(lines('info')).to.deep.equal(['Worker started']);
    });

    it('is disabled before the attempt is recorded, even if the store is away at first', async () => {
      await save(workerOf(mail));
      await fleet.start();
      await add(mail);
      await add(mail);
      const away = sinon.stub(stores.workers, 'change').rejects(storeUnavailable('down'));
      webhook.calls[0]!.answer(200, '', DISABLE);
      await clock.advance(1000);
      expect(await counts()).to.include({ active: 1 });
      away.restore();
      await clock.advance(1000);
      expect(await counts()).to.include({ completed: 1, waiting: 1 });
      expect(webhook.calls).to.have.lengthOf(1);
    });
  });

  describe('when an endpoint does not work', () => {
    const mail = queueNamed('mail');
    const breaker = { failures: 2, openFor: 30_000, maxOpenFor: 60_000 };
    const guarded: Worker = { ...workerOf(mail), opts: { breaker } };

    /** Answers incoming calls, as often as needed, and counts them. */
    async function answerAll(status: number): Promise<number> {
      let answered = 0;
      for (; webhook.open > 0; answered += 1) {
        webhook.calls.at(-1)!.answer(status, status < 300 ? '' : 'busy');
        await settle();
      }
      return answered;
    }

    // holds: breaker.outage, breaker.log
    it('makes one probe at growing intervals, and uses up no attempts of other jobs', async () => {
      await save(guarded);
      await fleet.start();
      for (let job = 0; job < 6; job += 1) await add(mail);
      expect(await answerAll(503)).to.equal(2);
      await clock.advance(29_000);
      expect(webhook.open).to.equal(0);
      for (const openFor of [1000, 60_000, 60_000]) {
        await clock.advance(openFor);
        expect(await answerAll(500)).to.equal(1);
      }
      await clock.advance(60_000);
      expect(await answerAll(200)).to.equal(1);
      const { counts } = await stores.queues.list(mail, { statuses: [], start: 0, length: 0 });
      expect(counts).to.include({ failed: 5, completed: 1 });
      const lines = [...logger.warn.args, ...logger.info.args].filter(([message]) =>
        message.startsWith('Breaker'),
      );
      expect(lines).to.deep.equal([
        [
          'Breaker opened: no call starts',
          { queue: 'mail', failures: 2, status: 503, reason: 'busy' },
        ],
        ['Breaker closed: calls start again', { queue: 'mail' }],
      ]);
    });

    // holds: breaker.closing-replicas
    it('resumes calls at once on all replicas when a probe succeeds', async () => {
      const opened: unknown[] = [];
      stores.signals.listen('opened', (scope) => opened.push(scope));
      await save(guarded);
      await fleet.start();
      for (let job = 0; job < 4; job += 1) await add(mail);
      await answerAll(500);
      await clock.advance(30_000);
      expect(opened).to.deep.equal([]);
      expect(await answerAll(404)).to.equal(2);
      expect(opened).to.deep.equal([{ queue: mail }]);
    });

    // holds: breaker.opens
    it('counts timeouts and connection errors, and no answer of another registration', async () => {
      await save({ ...guarded, registration: 'one', opts: { breaker, concurrency: 3 } });
      await fleet.start();
      for (let job = 0; job < 6; job += 1) await add(mail);
      await save({ ...guarded, registration: 'two', opts: { breaker, concurrency: 3 } });
      await settle();
      const old = webhook.calls.slice(0, 3);
      for (const call of old) call.fail(new EndpointCallError('ECONNREFUSED', 'refused'));
      await settle();
      expect(webhook.open).to.equal(3);
      const [, , , four, five] = webhook.calls;
      four!.fail(new EndpointCallError('too late', 'timeout'));
      await settle();
      five!.fail(new EndpointCallError('ECONNREFUSED', 'refused'));
      await settle();
      sinon.assert.calledWithMatch(logger.warn, 'Breaker opened: no call starts');
    });

    it('never stops calls without a breaker', async () => {
      await save(workerOf(mail));
      await fleet.start();
      for (let job = 0; job < 6; job += 1) await add(mail);
      expect(await answerAll(500)).to.equal(6);
    });
  });

  it('may be stopped without ever being started', async () => {
    await fleet.stop(new AbortController().signal);
    await fleet.stop(new AbortController().signal);
  });
});
