import { setTimeout as sleep } from 'node:timers/promises';
import type { AttackedStore } from '../hostile/attacked-stores.ts';
import { Neighbours } from '../hostile/neighbours.ts';
import type { Waits } from '../hostile/neighbours-process.ts';
import { local } from '../load.ts';
import { figures, noted, type Result } from '../report.ts';
import { ServerProcess } from '../server-process.ts';
import { startEndpoint, SteppingQueue } from './stepping-queue.ts';

const MEGABYTE = 1024 * 1024;
const CONCURRENCY = 50;
/** Milliseconds in which it is measured how busy the machine is without a signal. */
const USUAL_TIME = 5000;
/** Milliseconds that others may wait. */
const MOST_WAIT = 250;

interface WakeUp {
  /** Milliseconds until the signal is answered, and until all jobs have ended. */
  readonly answered: number;
  readonly ended: number;
  /** What three ordinary clients wait: beforehand, until the one, and from then until the other. */
  readonly before: Waits;
  readonly during: Waits;
  readonly after: Waits;
  /** Bytes of the service at its peak above what it had with the waiting jobs. */
  readonly memory: number;
}

/** A signal that wakes many jobs, which are called at once, while three ordinary clients go on. */
export async function benchWake(
  store: string,
  start: () => Promise<AttackedStore>,
  rounds: number,
  jobs: number,
): Promise<Result> {
  const found: WakeUp[] = [];
  for (let round = 0; round < rounds; round += 1) found.push(await wakeOnce(start, jobs));
  const row = (name: string, unit: string, of: (each: WakeUp) => number, most?: number) => ({
    name,
    unit,
    most,
    values: found.map(of),
  });
  const waits = (name: string, of: (each: WakeUp) => Waits) => [
    row(`p99 of what others wait ${name}`, 'ms', (each) => of(each).p99, MOST_WAIT),
    row('their longest wait', 'ms', (each) => of(each).longest),
    row('their requests that failed', '', (each) => of(each).failures, 0),
  ];
  return noted(
    `the jobs are called at once, ${CONCURRENCY} at a time, by a bare server in Node.js`,
    figures(`${store}: a signal wakes ${jobs.toLocaleString('en')} jobs`, [
      row('p99 of what others wait beforehand', 'ms', ({ before }) => before.p99),
      row('until it is answered', 's', ({ answered }) => answered / 1000),
      ...waits('meanwhile', ({ during }) => during),
      row('until all jobs have ended', 's', ({ ended }) => ended / 1000),
      ...waits('from then on', ({ after }) => after),
      row('memory of the service above before', 'MB', ({ memory }) => memory / MEGABYTE),
    ]),
  );
}

async function wakeOnce(start: () => Promise<AttackedStore>, jobs: number): Promise<WakeUp> {
  const store = await start();
  const endpoint = await startEndpoint();
  const service = await ServerProcess.service(store.environment);
  try {
    const queue = new SteppingQueue(service, endpoint, 'waiting', 'wait/2/20');
    await queue.add(jobs);
    await queue.startWorker(CONCURRENCY);
    await queue.until('delayed', jobs);
    const earlier = await Neighbours.start(local(service));
    await sleep(USUAL_TIME);
    const before = await earlier.end();
    service.forgetPeak();
    const rest = service.memory;
    const started = performance.now();
    const beside = await Neighbours.start(local(service));
    const woken = await queue.signal();
    const answered = performance.now() - started;
    const during = await beside.end();
    if (woken !== jobs) throw new Error(`${woken} of ${jobs} jobs were woken`);
    const later = await Neighbours.start(local(service));
    await queue.until('completed', jobs);
    const ended = performance.now() - started;
    const after = await later.end();
    return { answered, ended, before, during, after, memory: service.peakMemory - rest };
  } finally {
    await Promise.all([service.stop(), endpoint.stop()]);
    await store.end();
  }
}
