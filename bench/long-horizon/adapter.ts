import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { local } from '../load.ts';
import { ServerProcess } from '../server-process.ts';
import { call, jobCounts, registerWorker } from '../service-calls.ts';
import { RecentTimes } from './recent-times.ts';
import { ordered, wantedRate } from './variables.ts';
import { WorkerEndpoint } from './worker-endpoint.ts';

/*
 * The service on PostgreSQL as a system of the public harness of job queues on PostgreSQL (README.md of this folder): a
 * process that adds jobs over HTTP at a rate, is called for them, and prints samples as lines of JSON.
 */

const QUEUE = 'long-horizon';

/** For how long (s) times count as recent. */
const WINDOW = 30;

/** How often (ms) the depth of the queue is read. */
const DEPTH_EVERY = 250;

/** The pause (ms) of a producer whose add was refused: the store may be away. */
const REFUSED = 200;

const manifest = JSON.parse(
  readFileSync(join(import.meta.dirname, 'adapter.json'), 'utf8'),
) as Readonly<Record<string, unknown>>;
const { version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
) as { readonly version: string };

interface Work {
  /** When it was added, epoch ms. */
  readonly addedAt: number;
}

if (ordered.scenario !== 'long_horizon')
  throw new Error(`There is no scenario ${ordered.scenario}`);

const { sampleEvery, workers, batch } = ordered;
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => stopping.abort());
const isRunning = (): boolean => !stopping.signal.aborted;

const periods = Math.ceil(WINDOW / sampleEvery);
const times = {
  producer: new RecentTimes(periods),
  subscriber: new RecentTimes(periods),
  end_to_end: new RecentTimes(periods),
};
const counts = { added: 0, completed: 0 };
let depth = 0;

const service = await ServerProcess.service({
  STORE: 'postgres',
  STORE_URI: ordered.databaseUri,
});
const target = local(service);
const endpoint = await WorkerEndpoint.open(
  ordered.workTime,
  (data) => times.subscriber.record(Date.now() - (data as Work).addedAt),
  (data) => {
    times.end_to_end.record(Date.now() - (data as Work).addedAt);
    counts.completed += 1;
  },
);
// What ends is of no use to anybody: the others keep it no longer either.
await call(target, 'PUT', `/queues/${QUEUE}/policy`, { defaults: { removeOnComplete: true } });
await registerWorker(target, { queue: QUEUE, url: endpoint.url, concurrency: workers });

print({ kind: 'descriptor', ...manifest, version, started_at: new Date().toISOString() });
await Promise.all([produce(), watchDepth(), sample()]);
endpoint.close();
await service.stop();

async function produce(): Promise<void> {
  let credit = 0;
  let creditedAt = performance.now();
  while (isRunning()) {
    const now = performance.now();
    // By the time that passed, whatever the pauses were: otherwise slow adds would lower the load.
    credit += (wantedRate() * (now - creditedAt)) / 1000;
    creditedAt = now;
    const wanted = ordered.isPacedByDepth ? ordered.targetDepth - depth : Math.floor(credit);
    const size = Math.max(0, Math.min(batch.most, wanted));
    if (size > 0) {
      credit -= size;
      await add(size);
    }
    if (size < batch.most) await paused(batch.every);
  }
}

async function add(size: number): Promise<void> {
  const padding = 'x'.repeat(Math.max(0, ordered.payloadBytes - 96));
  const data: Work & { readonly padding: string } = { addedAt: Date.now(), padding };
  const started = performance.now();
  try {
    const jobs = Array.from({ length: size }, () => ({ name: 'work', data }));
    await call(target, 'POST', `/queues/${QUEUE}/jobs`, jobs);
    const each = (performance.now() - started) / size;
    for (let job = 0; job < size; job += 1) times.producer.record(each);
    counts.added += size;
  } catch (error) {
    process.stderr.write(`An add failed: ${String(error)}\n`);
    await paused(REFUSED);
  }
}

async function watchDepth(): Promise<void> {
  while (isRunning()) {
    try {
      const { waiting, prioritized } = await jobCounts(target, QUEUE);
      depth = waiting + prioritized;
    } catch (error) {
      process.stderr.write(`The depth could not be read: ${String(error)}\n`);
    }
    await paused(DEPTH_EVERY);
  }
}

async function sample(): Promise<void> {
  const period = sampleEvery * 1000;
  let last = { ...counts };
  await paused(period - (Date.now() % period));
  while (isRunning()) {
    const at = new Date().toISOString();
    const now = { ...counts };
    for (const [name, recent] of Object.entries(times)) {
      for (const percent of [50, 95, 99]) {
        const value = recent.percentile(percent);
        report(at, `${name}_p${percent}_ms`, value, WINDOW);
        if (name === 'subscriber') report(at, `claim_p${percent}_ms`, value, WINDOW);
      }
      recent.next();
    }
    report(at, 'enqueue_rate', (now.added - last.added) / sampleEvery, sampleEvery);
    report(at, 'completion_rate', (now.completed - last.completed) / sampleEvery, sampleEvery);
    if (ordered.instance === 0) {
      report(at, 'queue_depth', depth, 0);
      report(at, 'producer_target_rate', wantedRate(), 0);
    }
    last = now;
    await paused(period - (Date.now() % period));
  }
}

function report(at: string, metric: string, value: number, window: number): void {
  const subject = { kind: 'adapter', subject_kind: 'adapter', subject: '' };
  print({ t: at, system: manifest['system'], ...subject, metric, value, window_s: window });
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify({ ...line, instance_id: ordered.instance })}\n`);
}

/** Ends early when the harness is done. */
async function paused(time: number): Promise<void> {
  await sleep(time, undefined, { signal: stopping.signal }).catch(() => undefined);
}
