import { randomUUID } from 'node:crypto';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { AddedJob, NewJob } from '../../../../domain/job.ts';
import { jsonText } from '../../../../domain/json.ts';
import { latestStart, patience } from '../connection/patience.ts';
import type { Script, ScriptArgument } from '../connection/scripts.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { storedOptions } from '../layout/job-record.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { addJobsScript, addStagedJobsScript, TOO_LATE } from './add-jobs-script.ts';
import { ExistingJobs } from './existing-jobs.ts';
import { placeOf } from './job-place.ts';
import type { JobReader } from './job-reader.ts';
import { SharedAdds, type AddAnswer, type AddCall, type AddRun } from './shared-adds.ts';
import { stageJobsScript } from './stage-jobs-script.ts';

/** How much longer than its patience a command may have waited without a pause of ours, in milliseconds. */
const SLACK = 200;

/** Most jobs that one run of a script stores, and that are put into arguments without a pause. */
const MOST_JOBS_PER_RUN = 1000;

/** How long the jobs of a large batch are kept when it does not come to its end, in milliseconds. */
const STAGED_FOR = 60_000;

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
    this.#shared = new SharedAdds((keys, calls) => this.#addCalls(keys, calls));
  }

  /** @throws DomainError `store-unavailable`. */
  async add(keys: QueueKeys, jobs: readonly NewJob[]): Promise<readonly AddedJob[]> {
    const { answers, timestamp } =
      jobs.length > MOST_JOBS_PER_RUN
        ? await this.#addStaged(keys, jobs)
        : await this.#shared.add(keys, addCall(jobs));
    const existing = answers.every(isFresh) ? undefined : await this.#existing.read(keys, answers);
    return jobs.map((job, index) => {
      const answer = answers[index] as AddAnswer;
      if (isFresh(answer)) return freshJob(answer, job, timestamp, keys);
      return existing?.get(answer[0]) ?? { id: answer[0] };
    });
  }

  #addCalls(keys: QueueKeys, calls: readonly AddCall[]): Promise<AddRun> {
    const args: ScriptArgument[] = [];
    let bytes = 0;
    for (const call of calls) {
      for (const argument of call.args) args.push(argument);
      bytes += call.size;
    }
    return this.#run(addJobsScript, keys, this.#clock.now(), '', args, bytes);
  }

  /**
   * The store does nothing else while it runs a script, so the jobs of a large batch are stored in several runs,
   * where nobody looks for them, and then given to the queue in one. What is left of a batch that came to no
   * end takes no memory for long.
   */
  async #addStaged(keys: QueueKeys, jobs: readonly NewJob[]): Promise<AddRun> {
    const staged = `${keys.jobPrefix}jobgate:staged-${randomUUID()}-`;
    try {
      return await this.#stageAndAdd(keys, jobs, staged);
    } catch (error) {
      this.#discard(staged, jobs.length);
      throw error;
    }
  }

  async #stageAndAdd(keys: QueueKeys, jobs: readonly NewJob[], staged: string): Promise<AddRun> {
    const timestamp = this.#clock.now();
    for (let first = 0; first < jobs.length; first += MOST_JOBS_PER_RUN) {
      const { args } = addCall(jobs.slice(first, first + MOST_JOBS_PER_RUN));
      const stageArgs = [first, STAGED_FOR, timestamp, ...args];
      await this.#commands.scripts.run(stageJobsScript, [staged], stageArgs);
    }
    const args = jobs.flatMap(({ name, opts }) => [placeOf(opts), name]);
    return this.#run(addStagedJobsScript, keys, timestamp, staged, args, 0);
  }

  /** Best effort, which nobody waits for: a store that is away forgets them by itself. */
  #discard(staged: string, count: number): void {
    const names = Array.from({ length: count }, (_, number) => staged + String(number));
    for (let first = 0; first < count; first += MOST_JOBS_PER_RUN) {
      const some = names.slice(first, first + MOST_JOBS_PER_RUN);
      this.#commands.client.unlink(...some).catch(() => undefined);
    }
  }

  async #run(
    script: Script,
    keys: QueueKeys,
    timestamp: number,
    staged: string,
    jobArgs: readonly ScriptArgument[],
    bytes: number,
  ): Promise<AddRun> {
    const { scripts, time, errors } = this.#commands;
    if (!time.isKnown) await time.measured();
    // Whoever waited in vain for the store's time has waited for as long as an add may take.
    if (!time.isKnown) throw errors.unavailable(new Error('The store did not tell its time'));
    const startsWithin = latestStart(jobArgs.length, bytes);
    for (;;) {
      const sent = performance.now();
      const args = [keys.jobPrefix, timestamp, time.in(startsWithin), staged, ...jobArgs];
      const answers = await scripts.run(script, addKeys(keys), args);
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
