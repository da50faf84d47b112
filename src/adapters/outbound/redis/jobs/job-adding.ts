import { setImmediate } from 'node:timers/promises';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { AddedJob, NewJob } from '../../../../domain/job.ts';
import { jsonText } from '../../../../domain/json.ts';
import { latestStart, patience } from '../connection/patience.ts';
import type { ScriptArgument } from '../connection/scripts.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { addJobsScript, TOO_LATE } from './add-jobs-script.ts';
import { ExistingJobs } from './existing-jobs.ts';
import type { JobReader } from './job-reader.ts';
import { storedOptions } from '../layout/job-record.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { SharedAdds, type AddAnswer, type AddCall, type AddRun } from './shared-adds.ts';

/** How much longer than its patience a command may have waited without a pause of ours, in milliseconds. */
const SLACK = 200;

/** How many jobs are put into arguments until others have their turn of the event loop. */
const JOBS_PER_TURN = 1000;

/** Adds jobs to queues, those of a call all together or not at all. */
export class JobAdding {
  readonly #commands: StoreCommands;
  readonly #clock: ClockPort;
  readonly #existing: ExistingJobs;
  readonly #shared: SharedAdds<QueueKeys>;

  constructor(commands: StoreCommands, reader: JobReader, clock: ClockPort) {
    this.#commands = commands;
    this.#clock = clock;
    this.#existing = new ExistingJobs(reader);
    this.#shared = new SharedAdds((keys, calls) => this.#run(keys, calls));
  }

  /** @throws DomainError `store-unavailable`. */
  async add(keys: QueueKeys, jobs: readonly NewJob[]): Promise<readonly AddedJob[]> {
    const call = jobs.length > JOBS_PER_TURN ? await addCallInTurns(jobs) : addCall(jobs);
    const { answers, timestamp } = await this.#shared.add(keys, call);
    const existing = answers.every(isFresh) ? undefined : await this.#existing.read(keys, answers);
    return jobs.map((job, index) => {
      const answer = answers[index] as AddAnswer;
      if (isFresh(answer)) return freshJob(answer, job, timestamp, keys);
      return existing?.get(answer[0]) ?? { id: answer[0] };
    });
  }

  async #run(keys: QueueKeys, calls: readonly AddCall[]): Promise<AddRun> {
    const timestamp = this.#clock.now();
    const args: ScriptArgument[] = [keys.jobPrefix, timestamp, 0];
    let bytes = 0;
    for (const call of calls) {
      for (const argument of call.args) args.push(argument);
      bytes += call.size;
    }
    const startsWithin = latestStart(args.length, bytes);
    const { scripts, time, errors } = this.#commands;
    if (!time.isKnown) await time.measured();
    // Whoever waited in vain for the store's time has waited for as long as an add may take.
    if (!time.isKnown) throw errors.unavailable(new Error('The store did not tell its time'));
    for (;;) {
      const sent = performance.now();
      args[2] = time.in(startsWithin);
      const answers = await scripts.run(addJobsScript, addKeys(keys), args);
      if (answers !== TOO_LATE) return { answers: answers as AddAnswer[], timestamp };
      // An answer that is older than our patience came in a pause of our own event loop, which kept
      // the rest of the command from being sent: nothing is stored, and the store was there.
      if (performance.now() - sent > patience(args) + SLACK) continue;
      throw errors.unavailable(new Error('The store came to an add after its caller gave up'));
    }
  }
}

function isFresh(answer: AddAnswer): answer is string {
  return typeof answer === 'string';
}

function addCall(jobs: readonly NewJob[]): AddCall {
  const args: ScriptArgument[] = [];
  let size = 0;
  for (const { name, data, opts } of jobs) {
    const text = jsonText(data);
    const options = storedOptions(opts);
    args.push(placeOf(opts), name, text, options);
    size += name.length + text.length + options.length;
  }
  return { args, jobs: jobs.length, size };
}

/** Every argument costs time on both sides, and most jobs go to the same place. */
function placeOf({ jobId = '', delay, priority = 0, lifo = false }: NewJob['opts']): string {
  if (jobId === '' && delay === 0 && priority === 0 && !lifo) return '';
  return `${delay}:${priority}:${lifo ? 1 : 0}:${jobId}`;
}

/** The arguments of a large batch, without keeping others waiting while they are made. */
async function addCallInTurns(jobs: readonly NewJob[]): Promise<AddCall> {
  const args: ScriptArgument[] = [];
  let size = 0;
  for (let first = 0; first < jobs.length; first += JOBS_PER_TURN) {
    if (first > 0) await setImmediate();
    const call = addCall(jobs.slice(first, first + JOBS_PER_TURN));
    args.push(...call.args);
    size += call.size;
  }
  return { args, jobs: jobs.length, size };
}

function addKeys(keys: QueueKeys): string[] {
  return [
    keys.wait,
    keys.active,
    keys.prioritized,
    keys.delayed,
    keys.events,
    keys.meta,
    keys.id,
    keys.marker,
    keys.priorityCounter,
  ];
}

function freshJob(
  id: string,
  { name, data, opts }: NewJob,
  timestamp: number,
  keys: QueueKeys,
): AddedJob {
  return {
    queue: keys.queue,
    id,
    name,
    data,
    opts,
    progress: 0,
    returnvalue: null,
    stacktrace: null,
    attemptsStarted: 0,
    attemptsMade: 0,
    delay: opts.delay,
    timestamp,
  };
}
