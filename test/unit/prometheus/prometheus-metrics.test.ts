import { saveWorker } from '../../support/collections.ts';
import { ampleRoom } from '../../support/ample-room.ts';
import { noCalledOptions } from '../../support/no-called-options.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { StoreReport } from '../../../src/application/ports/system-port.ts';
import { memoryStoreHealth } from '../../../src/adapters/outbound/memory/ports/memory-store-health.ts';
import { AttemptMetrics } from '../../../src/adapters/outbound/prometheus/attempt-metrics.ts';
import { LAG_INTERVAL } from '../../../src/adapters/outbound/prometheus/event-loop-lag.ts';
import { PrometheusMetrics } from '../../../src/adapters/outbound/prometheus/prometheus-metrics.ts';
import { QueueAccounts } from '../../../src/adapters/outbound/prometheus/queue-accounts.ts';
import { RequestCounts } from '../../../src/adapters/outbound/prometheus/request-counts.ts';
import { QueueDemands } from '../../../src/application/queues/queue-demands.ts';
import { StoreGauges } from '../../../src/adapters/outbound/prometheus/store-gauges.ts';
import { StoreTimer } from '../../../src/adapters/outbound/prometheus/store-timer.ts';
import { timed } from '../../../src/adapters/outbound/prometheus/timed.ts';
import { KnownWorkers } from '../../../src/application/kept/known-workers.ts';
import { Jobs } from '../../../src/application/jobs/jobs.ts';
import { QUEUE_NATURES, type QueuePort } from '../../../src/application/ports/queue-port.ts';
import type { Attempt } from '../../../src/domain/attempts/attempt.ts';
import type { AttemptEnding } from '../../../src/domain/attempts/ending.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { Worker } from '../../../src/domain/workers/worker.ts';
import { take } from '../../contracts/queue-steps.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryStores, type MemoryStores } from '../../support/memory-stores.ts';
import { MetricsPage } from '../../support/metrics-page.ts';
import { noPolicies } from '../../support/no-policies.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const ADDED = 'jobgate_jobs_added_total';
const LIMIT = 5;
const MAIL = queueNamed('mail');

const REPORT: StoreReport = {
  facts: {
    kind: 'postgres',
    path: null,
    version: '17.2',
    usedMemory: 1,
    maxMemory: null,
    evictionPolicy: null,
    database: {
      deadRows: { log: 900, records: 7, inbox: 0 },
      oldestSnapshot: { application: 'shop', ageMs: 1500, transactions: 7 },
      connections: { used: 25, most: 100 },
      isNotified: false,
      isFolded: false,
      behindMs: 7500,
    },
  },
  isPersistent: true,
  isFull: false,
  queuesHeldBack: 0,
};

describe('PrometheusMetrics', () => {
  let clock: FakeClock;
  let store: MemoryStores;
  let queues: QueuePort;
  let jobs: Jobs;
  let attempts: AttemptMetrics;
  let requests: RequestCounts;
  let metrics: PrometheusMetrics;

  beforeEach(() => {
    clock = new FakeClock();
    store = memoryStores(clock);
    const accounts = new QueueAccounts(LIMIT, clock);
    const timer = new StoreTimer();
    queues = timed<QueuePort>(store.queues, QUEUE_NATURES, timer);
    attempts = new AttemptMetrics(accounts);
    jobs = new Jobs({
      queues,
      parts: store.jobParts,
      attempts: store.attempts,
      calledOptions: noCalledOptions,
      policies: noPolicies,
      workers: { workerOf: () => Promise.resolve(undefined) },
      observer: attempts,
      maxJobsPerAdd: LIMIT * 20,
    });
    requests = new RequestCounts();
    const known = new KnownWorkers(store.workers, silentLogger);
    const gauges = new StoreGauges({
      directory: store.queueDirectory,
      workers: store.workers,
      inForce: known,
      standings: store.queueStandings,
      demands: new QueueDemands(store.demand, known, noPolicies),
      policies: { takesDeadLetters: (queue) => queue === 'dead' },
      health: memoryStoreHealth(ampleRoom),
      system: { store: () => Promise.resolve(REPORT) },
      clock,
      logger: silentLogger,
    });
    metrics = new PrometheusMetrics(accounts, gauges, [timer.metric, requests.metric]);
  });

  const page = async (): Promise<MetricsPage> => new MetricsPage(await metrics.read());

  // holds: system.database
  it('has the dead rows, the oldest snapshot, the connections and the notices of a database', async () => {
    const text = await metrics.read();
    for (const line of [
      'jobgate_store_dead_rows{table="log"} 900',
      'jobgate_store_dead_rows{table="records"} 7',
      'jobgate_store_dead_rows{table="inbox"} 0',
      'jobgate_store_oldest_snapshot_seconds 1.5',
      'jobgate_store_connections_ratio 0.25',
      'jobgate_store_polling 1',
      'jobgate_store_folding_failed 1',
      'jobgate_store_behind_seconds 7.5',
    ]) {
      expect(text.split('\n')).to.include(line);
    }
  });

  async function add(queue: string, count = 1, opts = {}): Promise<void> {
    await jobs.add(
      queueNamed(queue),
      Array.from({ length: count }, () => ({ name: 'a', data: 1, opts })),
    );
  }

  function end(queue: QueueName, attempt: Attempt, ending: AttemptEnding, duration = 0): void {
    const worker: Worker = { queue, endpoint: { url: 'http://localhost/', method: 'post' } };
    const recorded = { attempt, worker, result: { ending }, duration };
    const effects = { beginsHold: false, breaker: undefined };
    attempts.observe({ kind: 'ended', queue, ...recorded, ...effects });
  }

  it('names the most active of 10,000 queues and counts the rest as other', async () => {
    for (let index = 0; index < 10_000; index += 1) await add(`queue-${index}`);
    const busy = ['queue-1', 'queue-7', 'queue-500', 'queue-600', 'queue-999'];
    for (const queue of busy) await add(queue, 2);
    const added = (await page()).by('queue', ADDED);
    expect(added).to.have.all.keys(...busy, 'other');
    for (const queue of busy) expect(added[queue]).to.equal(3);
    expect(added['other']).to.equal(10_000 - busy.length);
    expect((await page()).by('queue', 'jobgate_jobs')).to.have.all.keys(...busy);
  });

  it('bounds the names, no matter how often it is read', async () => {
    for (let index = 0; index < 3000; index += 1) {
      await add(`queue-${index}`, 1 + (index % 7));
      if (index % 100 === 0) {
        expect(Object.keys((await page()).by('queue', ADDED))).to.have.length.at.most(LIMIT + 1);
      }
    }
    const { text } = await page();
    expect(new Set(text.match(/queue="[^"]*"/g))).to.have.lengthOf(LIMIT + 1);
  });

  it('keeps the name of a queue while no other is more active, and never counts down', async () => {
    for (const queue of ['aaa', 'bbb', 'ccc', 'ddd', 'eee']) await add(queue, 3);
    await add('fff', 2);
    const before = (await page()).by('queue', ADDED);
    expect(before).to.deep.equal({ aaa: 3, bbb: 3, ccc: 3, ddd: 3, eee: 3, other: 2 });
    await add('ggg', 3);
    await add('aaa');
    const after = (await page()).by('queue', ADDED);
    expect(after).to.deep.equal({ ...before, aaa: 4, other: 5 });
  });

  it('passes the name of a quiet queue to an active one', async () => {
    for (const queue of ['aaa', 'bbb', 'ccc', 'ddd', 'eee']) await add(queue, 100);
    await page();
    for (const queue of ['aaa', 'bbb', 'ccc', 'ddd']) await add(queue, 100);
    await clock.advance(3_600_000);
    await page();
    await add('new', 20);
    const added = (await page()).by('queue', ADDED);
    expect(added).to.deep.equal({ aaa: 200, bbb: 200, ccc: 200, ddd: 200, new: 20 });
  });

  it('counts a queue named other among the others', async () => {
    await add('other', 3);
    const { text } = await page();
    expect(text.match(/^jobgate_jobs_added_total\{.*$/gm)).to.deep.equal([
      'jobgate_jobs_added_total{queue="other"} 3',
    ]);
  });

  it('escapes what a name may hold', async () => {
    await add('a"b\\c');
    expect((await page()).value(`${ADDED}{queue="a\\"b\\\\c"}`)).to.equal(1);
  });

  it('does not count a job that already existed', async () => {
    await add('mail', 2, { jobId: 'mine' });
    expect((await page()).value(`${ADDED}{queue="mail"}`)).to.equal(1);
    await clock.advance(1);
    await add('mail', 1, { jobId: 'mine' });
    await add('mail', 1, { jobId: 'yours' });
    await add('mail', 3);
    expect((await page()).value(`${ADDED}{queue="mail"}`)).to.equal(5);
  });

  it('counts endings, and measures calls and the wait for the first attempt', async () => {
    await add('mail', 1, { delay: 1000 });
    await clock.advance(1250);
    const attempt = await take(store.attempts, MAIL);
    attempts.observe({ kind: 'started', queue: MAIL, attempt });
    end(MAIL, attempt, { kind: 'retry', reason: 'no', delay: 0 }, 20);
    const second = { ...attempt, job: { ...attempt.job, attemptsStarted: 2 } };
    attempts.observe({ kind: 'started', queue: MAIL, attempt: second });
    end(MAIL, attempt, { kind: 'completed', returnvalue: null }, 700);
    end(MAIL, attempt, { kind: 'failed', reason: 'no' }, 30);
    end(MAIL, { ...attempt, mustFail: 'it stalled' }, { kind: 'failed', reason: 'it stalled' });
    attempts.observe({ kind: 'stalled', queue: MAIL, jobId: attempt.jobId });
    const figures = await page();
    const counts = ['completed', 'failed', 'retried', 'deferred', 'stalled'].map((event) =>
      figures.value(`jobgate_jobs_${event}_total{queue="mail"}`),
    );
    expect(counts).to.deep.equal([1, 2, 1, 0, 1]);
    const call = 'jobgate_call_seconds';
    expect(figures.by('outcome', `${call}_count`)).to.deep.equal({ completed: 1, failed: 2 });
    expect(figures.by('outcome', `${call}_sum`)).to.deep.equal({ completed: 0.7, failed: 0.05 });
    const labels = 'queue="mail",outcome="completed"';
    const buckets = ['0.5', '1', '+Inf'].map((le) =>
      figures.value(`${call}_bucket{${labels},le="${le}"}`),
    );
    expect(buckets).to.deep.equal([0, 1, 1]);
    expect(figures.value('jobgate_wait_seconds_count{queue="mail"}')).to.equal(1);
    expect(figures.value('jobgate_wait_seconds_sum{queue="mail"}')).to.equal(0.25);
  });

  it('reports what a queue holds, and how long its oldest job has waited', async () => {
    await add('mail', 2);
    await add('mail', 1, { delay: 60_000 });
    await clock.advance(2500);
    await take(store.attempts, MAIL);
    const figures = await page();
    expect(figures.by('state', 'jobgate_jobs')).to.deep.equal({
      active: 1,
      waiting: 1,
      prioritized: 0,
      delayed: 1,
      completed: 0,
      failed: 0,
      'waiting-children': 0,
    });
    expect(figures.value('jobgate_oldest_waiting_seconds{queue="mail"}')).to.equal(2.5);
    await take(store.attempts, MAIL);
    expect((await page()).value('jobgate_oldest_waiting_seconds{queue="mail"}')).to.equal(0);
  });

  it('reports what it knows by itself while the store is away or silent', async () => {
    await add('mail', 2);
    store.queueDirectory.glances = () => Promise.reject(storeUnavailable(new Error('gone')));
    const away = await page();
    expect(away.by('queue', ADDED)).to.deep.equal({ mail: 2 });
    expect(away.by('queue', 'jobgate_jobs')).to.deep.equal({});
    store.queueDirectory.glances = () => new Promise(() => undefined);
    const reading = metrics.read();
    await clock.advance(1000);
    const silent = await reading;
    expect(new MetricsPage(silent).by('queue', ADDED)).to.deep.equal({ mail: 2 });
    // The reason why a replica on PostgreSQL can say no more.
    expect(silent.split('\n')).to.include('jobgate_store_behind_seconds 7.5');
  });

  it('asks the store once for concurrent readers', async () => {
    for (const queue of ['aaa', 'bbb', 'ccc', 'ddd', 'eee']) await add(queue);
    const reads: number[] = [];
    const glances = store.queueDirectory.glances.bind(store.queueDirectory);
    store.queueDirectory.glances = (queues) => {
      reads.push(queues.length);
      return glances(queues);
    };
    const [one, other] = await Promise.all([metrics.read(), metrics.read()]);
    expect(one).to.equal(other);
    expect(reads).to.deep.equal([5]);
  });

  it('reports which queues are paused and the state of each worker, before there is any job', async () => {
    const [mail, news] = [MAIL, queueNamed('news')];
    const endpoint = { url: 'http://localhost/', method: 'post' } as const;
    const disabled = { since: 1, reason: 'gone' };
    await saveWorker(store.workers, { queue: mail, endpoint });
    await saveWorker(store.workers, { queue: news, endpoint, disabled });
    await add('plain');
    await store.queueControl.pause(mail);
    const figures = await page();
    expect(figures.by('queue', 'jobgate_queue_paused')).to.deep.equal({
      plain: 0,
      mail: 1,
      news: 0,
    });
    const states = (queue: string) =>
      ['healthy', 'held', 'open', 'probing', 'disabled'].filter(
        (state) => figures.value(`jobgate_worker_state{queue="${queue}",state="${state}"}`) === 1,
      );
    expect(['plain', 'mail', 'news'].map(states)).to.deep.equal([[], ['healthy'], ['disabled']]);
    await store.queueControl.hold(mail, 60_000);
    const held = 'jobgate_worker_state{queue="mail",state="held"}';
    expect((await page()).value(held)).to.equal(1);
  });

  // holds: dead-letters.quiet
  it('marks the queues to which policies send dead letters', async () => {
    await add('plain');
    await add('dead');
    expect((await page()).by('queue', 'jobgate_queue_dead_letters')).to.deep.equal({
      plain: 0,
      dead: 1,
    });
  });

  it('names no more queues than allowed, even if more have workers', async () => {
    const endpoint = { url: 'http://localhost/', method: 'post' } as const;
    for (let index = 0; index < 30; index += 1) {
      await saveWorker(store.workers, { queue: queueNamed(`worker-${index}`), endpoint });
    }
    const { text } = await page();
    expect(new Set(text.match(/queue="[^"]*"/g))).to.have.lengthOf(LIMIT);
  });

  it('counts requests by route, method and class of the status', async () => {
    requests.ended('/workers', 'GET', 200);
    requests.ended('/workers', 'GET', 204);
    requests.ended('/workers', 'POST', 503);
    requests.ended('/workers', 'POST', undefined);
    for (let index = 0; index < 100; index += 1) requests.ended('none', `VERB${index}`, 404);
    const { text } = await page();
    expect(text.match(/^jobgate_http_requests_total\{.*$/gm)).to.deep.equal([
      'jobgate_http_requests_total{route="/workers",method="GET",status="2xx"} 2',
      'jobgate_http_requests_total{route="/workers",method="POST",status="none"} 1',
      'jobgate_http_requests_total{route="/workers",method="POST",status="5xx"} 1',
      'jobgate_http_requests_total{route="none",method="other",status="4xx"} 100',
    ]);
  });

  it('measures the store, even when it fails', async () => {
    await add('mail');
    store.queues.find = () => Promise.reject(storeUnavailable(new Error('gone')));
    await queues.find(MAIL, '1').catch(() => undefined);
    expect((await page()).value('jobgate_store_seconds_count')).to.equal(2);
  });

  describe('lag of the event loop', () => {
    const name = (figure: string): string => `nodejs_eventloop_lag_${figure}_seconds`;
    /** Each reading starts afresh, and a measurement takes two looks. */
    const looks = (): Promise<void> => sleep(2.5 * LAG_INTERVAL);

    it('is close to zero for an idle process', () =>
      eventually('no lag', async () => {
        await looks();
        const read = await page();
        return ['min', 'mean', 'p50', 'p99', 'max'].every((figure) => {
          const seconds = read.value(name(figure));
          return seconds !== undefined && seconds >= 0 && seconds < 0.005;
        });
      }));

    it('is as long as the process was busy', async () => {
      await looks();
      const end = Date.now() + 5 * LAG_INTERVAL;
      while (Date.now() < end);
      await looks();
      expect((await page()).value(name('max'))).to.be.at.least((4 * LAG_INTERVAL) / 1000);
    });

    it('is not reported before anything was measured', async () => {
      // A busy machine looks later.
      await eventually('something was measured', async () => {
        await looks();
        return (await page()).value(name('max')) !== undefined;
      });
      expect((await page()).text).not.to.match(/^nodejs_eventloop_lag_(min|mean|p50)/m);
    });
  });

  it('names as a total only what counts', async () => {
    const { text } = await page();
    const types = [...text.matchAll(/^# TYPE (\S+_total) (\w+)$/gm)];
    expect(types).not.to.deep.equal([]);
    for (const [, name, type] of types) expect(type, name).to.equal('counter');
  });
});
