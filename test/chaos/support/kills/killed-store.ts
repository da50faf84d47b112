// The embedded store as the service wires it, under clients of its ports, until it is killed. It is given its life as a
// line of JSON, and tells what it was asked before each step and what it answered after it.
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { CronCalendar } from '../../../../src/adapters/outbound/cron/cron-calendar.ts';
import type { AttemptEnding } from '../../../../src/domain/attempts/ending.ts';
import type { Attempt } from '../../../../src/domain/attempts/attempt.ts';
import { newJob } from '../../../../src/domain/jobs/job.ts';
import type { ActionOutcome } from '../../../../src/domain/jobs/job-actions.ts';
import { JOB_STATES, type JobState } from '../../../../src/domain/jobs/job-status.ts';
import { newScheduler } from '../../../../src/domain/schedulers/scheduler.ts';
import { loadConfig } from '../../../../src/infrastructure/config/load-config.ts';
import { embeddedStore } from '../../../../src/infrastructure/container/embedded-store.ts';
import { HooksOfEndings } from '../../../../src/application/hooks/hooks-of-endings.ts';
import { SystemClock } from '../../../../src/infrastructure/system-clock.ts';
import { queueNamed } from '../../../support/queue-named.ts';
import { seededRandom } from '../../../support/seeded-random.ts';
import { silentLogger } from '../../../support/silent-logger.ts';
import type { Answered, Asked, Found, HeldJob, Life, Line, Standing } from './life.ts';

const HOUR = 3_600_000;
const MOST_STALLED = 1;
/** A call of a few, so that a slot that is not given back is missed soon. */
const CALLS = { lockDuration: HOUR, concurrency: 20, groups: { concurrency: 6 } };
const LAST_PULL = {
  lockDuration: HOUR,
  isPulled: true,
  concurrency: 1,
  groups: { concurrency: 1 },
};
const MOST_HELD = 5;
/** Bytes of data of jobs that stay in memory, and are added in one step. */
const SMALL = 1000;
const SCHEDULER = 'tick';
const CONTROLLED = queueNamed('controlled');
const OPEN = ['waiting', 'prioritized', 'delayed'] as const;

const life = JSON.parse(process.argv[2] ?? '') as Life;
const queue = queueNamed(life.queue);
const random = seededRandom(life.seed);

const config = loadConfig(
  { STORE_PATH: life.folder, AUTH_TOKENS: 'secret' },
  { readFile: () => '', isTerminal: false },
);
const make = embeddedStore(config, { kind: 'embedded', path: life.folder }, silentLogger);
const wired = make(new SystemClock(), new CronCalendar(), new HooksOfEndings());
const { storeFolder: folder, store, queues, schedulers } = wired;
const { attempts: calls, attempts: holders, attempts: sweep } = wired;
const { jobControl: jobs, queueControl: control, queueDirectory: directory, jobScan: scan } = wired;

let steps = 0;

function tell(line: Line): void {
  let rest = Buffer.from(`${JSON.stringify(line)}\n`);
  while (rest.length > 0) rest = rest.subarray(written(rest));
}

/** @returns how many bytes went into the pipe, which takes none while its reader is late. */
function written(bytes: Buffer): number {
  try {
    return writeSync(1, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    return 0;
  }
}

let last: Promise<unknown> = Promise.resolve();

/**
 * The order of what is asked is that of the steps: the store takes a step before anything else runs. Not one of large
 * jobs, which are read from the disk or added in pieces, so that each of these is asked once the one before is answered.
 */
async function ask<Result>(
  asked: Asked,
  call: () => Promise<Result>,
  answer: (result: Result) => Answered,
): Promise<Result> {
  if (life.size <= SMALL) return askNow(asked, call, answer);
  const result = last.then(() => askNow(asked, call, answer));
  last = result.catch(() => undefined);
  return result;
}

async function askNow<Result>(
  asked: Asked,
  call: () => Promise<Result>,
  answer: (result: Result) => Answered,
): Promise<Result> {
  const step = (steps += 1);
  tell(['asked', step, asked]);
  const result = await call();
  tell(['answered', step, answer(result)]);
  return result;
}

/** The jobs that clients know, and at which one of them is at work at most. */
const known = { open: [] as string[], ended: [] as string[], held: [] as HeldJob[] };

function picked<Item>(list: Item[]): Item | undefined {
  return list.splice(Math.floor(random() * list.length), 1)[0];
}

async function step(id: string, to: Standing, call: () => Promise<ActionOutcome>): Promise<void> {
  await ask({ ask: 'step', id, to }, call, ({ kind }) => kind === 'done');
}

async function add(): Promise<void> {
  const count = 1 + Math.floor(random() * 5);
  const name = randomUUID();
  const added = Array.from({ length: count }, () => {
    const chance = random();
    const opts = {
      ...(chance < 0.2 && { delay: Math.floor(random() * 200) }),
      ...(chance > 0.8 && { priority: 1 + Math.floor(random() * 9) }),
      ...(random() < 0.5 && { group: { id: `g${Math.floor(random() * 4)}` } }),
      attempts: 2,
    };
    return newJob({ name, data: 'x'.repeat(life.size), opts }, '');
  });
  const ids = (all: readonly { readonly id: string }[]): string[] => all.map(({ id }) => id);
  const stored = await ask({ ask: 'add', name, count }, () => queues.add(queue, added), ids);
  known.open.push(...ids(stored));
}

async function pull(
  token: string = randomUUID(),
  isRepeated = false,
): Promise<Attempt | undefined> {
  const claimed = await ask(
    { ask: 'pull', token },
    () => calls.claim(queue, { token, isRepeated, isPulled: true, lockDuration: HOUR }),
    (claim) => (claim.kind === 'attempt' ? claim.attempt.jobId : null),
  );
  if (claimed.kind !== 'attempt') return undefined;
  known.held.push({ id: claimed.attempt.jobId, token });
  return claimed.attempt;
}

function endingOf(chance: number): { readonly ending: AttemptEnding; readonly to: Standing } {
  if (chance < 0.1) return { ending: { kind: 'retry', reason: 'so it is', delay: 20 }, to: 'open' };
  return chance < 0.3
    ? { ending: { kind: 'failed', reason: 'so it is' }, to: 'failed' }
    : { ending: { kind: 'completed', returnvalue: 'x'.repeat(100) }, to: 'completed' };
}

async function report({ id, token }: HeldJob): Promise<void> {
  const { ending, to } = endingOf(random());
  const outcome = await ask(
    { ask: 'step', id, to },
    () =>
      to === 'open'
        ? holders.reportRelease(queue, { jobId: id, token }, 20)
        : holders.reportEnding(queue, { jobId: id, token }, ending),
    (outcome) => outcome === 'recorded',
  );
  if (outcome !== 'recorded') throw new Error(`${id} was held, and its report is ${outcome}`);
  if (to !== 'open') known.ended.push(id);
}

async function hold(): Promise<void> {
  if (known.held.length >= MOST_HELD || random() < 0.4) {
    const held = picked(known.held);
    if (held !== undefined) return report(held);
  }
  if ((await pull()) === undefined) await sleep(1);
}

/** A call of an endpoint, which ends with this process unless the endpoint accepted it. */
async function call(): Promise<void> {
  const token = randomUUID();
  const number = (steps += 1);
  const claimed = await calls.claim(queue, { token, ...CALLS });
  if (claimed.kind !== 'attempt') return sleep(1);
  const { attempt } = claimed;
  const { jobId } = attempt;
  tell(['started', number, jobId]);
  if (random() < 0.5) await sleep(random() * 10);
  if (random() < 0.2 && attempt.mustFail === undefined && known.held.length < MOST_HELD) {
    const asked = { ask: 'step', id: jobId, to: 'active', token } as const;
    await ask(asked, () => holders.accept(queue, attempt, HOUR), Boolean);
    known.held.push({ id: jobId, token });
    return;
  }
  const { ending, to } = endingOf(attempt.mustFail === undefined ? random() : 0.2);
  const asked = { ask: 'step', id: jobId, to, endsCall: true } as const;
  await ask(
    asked,
    () => calls.settle(queue, attempt, ending),
    ({ held }) => held,
  );
  if (to !== 'open') known.ended.push(jobId);
}

async function act(): Promise<void> {
  await sleep(2);
  const chance = random();
  if (chance < 0.5) {
    const id = picked(known.ended);
    if (id === undefined) return;
    if (chance < 0.15 && !isScheduled(id)) {
      await step(id, 'open', () => jobs.retry(queue, id, {}));
    } else await step(id, 'gone', () => jobs.remove(queue, id));
    return;
  }
  const id = picked(known.open);
  if (id === undefined) return;
  if (chance < 0.6) await step(id, 'gone', () => jobs.removeAlone(queue, id, OPEN));
  else if (chance < 0.7) {
    await step(id, 'failed', () => jobs.cancel(queue, id, { reason: 'so it is' }, OPEN));
  } else if (chance < 0.85) await step(id, 'open', () => jobs.promote(queue, id));
  else await step(id, 'open', () => jobs.change(queue, id, { priority: 3 }));
}

async function pauseOrResume(): Promise<void> {
  const isPaused = random() < 0.5;
  const change = (): Promise<void> =>
    isPaused ? control.pause(CONTROLLED) : control.resume(CONTROLLED);
  await ask({ ask: 'pause', isPaused }, change, () => true);
  await sleep(3);
}

async function schedule(): Promise<void> {
  const scheduler = newScheduler(SCHEDULER, {
    repeat: { every: 15 },
    job: { name: SCHEDULER, data: {} },
  });
  await ask(
    { ask: 'schedule', isScheduled: true },
    () => schedulers.save(queue, SCHEDULER, scheduler, 10),
    () => true,
  );
  await sleep(random() * 60);
  if (random() < 0.3) await unschedule();
}

async function unschedule(): Promise<void> {
  const remove = (): Promise<boolean> => schedulers.remove(queue, SCHEDULER);
  await ask({ ask: 'schedule', isScheduled: false }, remove, () => true);
}

function isScheduled(id: string): boolean {
  return id.startsWith('repeat:');
}

async function found(): Promise<Found> {
  const all: [string, Standing, string][] = [];
  for (let cursor: string | null = null; ;) {
    const query = { states: JOB_STATES, fields: ['name'] as const, cursor };
    const { jobs, cursorAfter } = await scan.scan(queue, query);
    for (const job of jobs)
      if (job !== undefined) all.push([job.id, standingOf(job.state), job.name ?? '']);
    cursor = cursorAfter(jobs.length);
    if (cursor === null) break;
  }
  const holds = await Promise.all(
    life.held.map(({ id, token }) => holders.holds(queue, { jobId: id, token })),
  );
  const [glance] = await directory.glances([CONTROLLED]);
  const scheduler = await schedulers.find(queue, SCHEDULER);
  const slot = scheduler?.planned?.slot;
  return {
    jobs: all,
    holds,
    isPaused: glance?.isPaused === true,
    planned: slot === undefined ? null : `repeat:${SCHEDULER}:${slot}`,
  };
}

function standingOf(state: JobState): Standing {
  return state === 'active' || state === 'completed' || state === 'failed' ? state : 'open';
}

/** Ends all jobs, one at a time: a slot or a lock that is left would leave others waiting. */
async function endEverything(): Promise<void> {
  await unschedule();
  for (const held of known.held) {
    const attempt = { jobId: held.id, token: held.token };
    await holders.reportEnding(queue, attempt, { kind: 'completed', returnvalue: null });
  }
  for (;;) {
    const claimed = await calls.claim(queue, { token: randomUUID(), ...LAST_PULL });
    if (claimed.kind === 'attempt') {
      await calls.settle(queue, claimed.attempt, { kind: 'completed', returnvalue: null });
    } else if (claimed.kind === 'idle' && claimed.nextAt !== undefined) {
      await sleep(Math.max(1, claimed.nextAt - Date.now()));
    } else return;
  }
}

async function forever(client: () => Promise<void>): Promise<never> {
  for (;;) await client();
}

process.on('unhandledRejection', (error) => {
  throw error;
});

await folder?.start(new AbortController().signal);
await store.start(new AbortController().signal);
await sweep.recoverStalled(queue, MOST_STALLED);
const start = await found();
for (const [id, standing] of start.jobs) {
  if (standing === 'open' && !isScheduled(id)) known.open.push(id);
  if (standing === 'completed' || standing === 'failed') known.ended.push(id);
}
known.held = life.held.filter((_, index) => start.holds[index]);
tell(['found', start]);
for (const token of life.unanswered) await pull(token, true);
if (life.isLast) {
  await endEverything();
  tell(['ended', await found()]);
  if ((await control.remove(queue, false)).kind !== 'removed') throw new Error('A job is active');
  await store.stop(AbortSignal.timeout(10_000));
  await folder?.stop(AbortSignal.timeout(10_000));
} else {
  const clients = [add, add, hold, hold, call, call, call, act, act, pauseOrResume, schedule];
  await Promise.all(clients.map(forever));
}
