import { setTimeout as sleep } from 'node:timers/promises';
import { Lanes } from '../lanes.ts';
import { local, requestBytes } from '../load.ts';
import type { Costly } from '../measure.ts';
import { monotonicTime } from '../monotonic-time.ts';
import { percentile } from '../percentile.ts';
import type { ServerProcess } from '../server-process.ts';

/** Jobs a second, each rate after the one before was kept. */
const RATES = [50, 100, 200, 400, 800, 1600, 3200, 6400];
/** How long each rate is held, after a second that does not count. */
const SECONDS = 10;
/** Milliseconds between two portions of adds. */
const PORTION = 10;
const CONNECTIONS = 64;
/** Milliseconds from the add of a job to its call, for 99 of 100 jobs, up to which a rate counts as kept. */
export const MOST_WAIT = 500;
/** A rate fails when it fails so often: other programs of the machine have moments too. */
const TRIES = 2;
/** Milliseconds after which jobs that were not called are given up. */
const PATIENCE = 15_000;

/** What a rate costs. */
export interface Step {
  readonly rate: number;
  /** From add to call, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Processors in use: 1 is one core. */
  readonly service: number;
  readonly store: number;
  /** Resident memory of the service at its peak, in bytes. */
  readonly memory: number;
}

/** A service with a worker for one queue, and the endpoint that knows when its calls arrived. */
export interface Scene {
  readonly service: ServerProcess;
  /** undefined when the store is a part of the service. */
  readonly store: Costly | undefined;
  readonly endpoint: string;
  readonly queue: string;
}

/** Raises the rate until it is not kept any more. @returns the rates that were kept, with what they cost. */
export async function keptSteps(scene: Scene): Promise<readonly Step[]> {
  const kept: Step[] = [];
  for (const rate of RATES) {
    const step = await keep(scene, rate);
    if (step === undefined) break;
    kept.push(step);
  }
  return kept;
}

/** undefined when the rate was not kept. */
async function keep(scene: Scene, rate: number): Promise<Step | undefined> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const step = await hold(scene, rate);
    if (step !== undefined && step.p99 <= MOST_WAIT) return step;
  }
  return undefined;
}

/** undefined when jobs were left after the time that they get. */
async function hold(scene: Scene, rate: number): Promise<Step | undefined> {
  const { service, store } = scene;
  if ((await waitsAt(scene, rate, 1)) === undefined) return undefined;
  service.forgetPeak();
  const used = [service.processorTime, store?.processorTime ?? 0];
  const started = performance.now();
  const waits = await waitsAt(scene, rate, SECONDS);
  if (waits === undefined) return undefined;
  const elapsed = performance.now() - started;
  const cores = (process: Costly, before = 0): number => (process.processorTime - before) / elapsed;
  return {
    rate,
    p50: percentile(waits, 50),
    p99: percentile(waits, 99),
    service: cores(service, used[0]),
    store: store === undefined ? 0 : cores(store, used[1]),
    memory: service.peakMemory,
  };
}

/** How long each job waited from its add to its call; undefined when some were not called in time. */
async function waitsAt(
  { service, endpoint, queue }: Scene,
  rate: number,
  seconds: number,
): Promise<readonly number[] | undefined> {
  const lanes = await Lanes.open(local(service), CONNECTIONS);
  const path = `/queues/${queue}/jobs`;
  const answers: Promise<void>[] = [];
  const started = performance.now();
  const count = rate * seconds;
  while (answers.length < count) {
    const due = Math.min(count, ((performance.now() - started) * rate) / 1000);
    while (answers.length < due) {
      const body = JSON.stringify([{ name: 'mail', data: { sent: monotonicTime() } }]);
      answers.push(lanes.send(requestBytes(local(service), { method: 'POST', body }, path)));
    }
    await sleep(PORTION);
  }
  await Promise.all(answers);
  lanes.close();
  const waits: number[] = [];
  const deadline = performance.now() + PATIENCE;
  while (waits.length < count) {
    waits.push(...((await (await fetch(endpoint)).json()) as number[]));
    if (performance.now() > deadline) return undefined;
    await sleep(PORTION);
  }
  return waits;
}
