import { remade } from '../../../../domain/jobs/made-jobs.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { AddedOnce, RepeatableJobs } from '../../../../application/ports/queue-port.ts';
import { NO_GROUP } from '../../../../domain/groups/group-id.ts';
import type { AddIdentity } from '../../../../domain/jobs/add-identity.ts';
import { groupFull, isQueueFull, queueFull } from '../../../../domain/errors.ts';
import type { AddedJob, NewJob } from '../../../../domain/jobs/job.ts';
import type { ScriptArgument } from '../lua/script.ts';
import { SharedRuns } from '../connection/shared-runs.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { isWrongType } from '../connection/store-errors.ts';
import { runInTime } from '../connection/timely-run.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { FULL, GROUP_FULL } from '../lua/answers.ts';
import { luaScript } from '../lua/load.ts';
import { addCall, isDeduplicated } from './add-call.ts';
import type { AddAnswer, AddCall, AddRun } from './add-run.ts';
import { existingJobs } from './existing-jobs.ts';
import {
  claimed,
  defaultsOf,
  recalled,
  recalledRun,
  type RecordedIdentity,
} from './remembered-adds.ts';
import { StagedAdding } from './staged-adding.ts';
import { areToBeStaged } from './staged-limits.ts';
import type { Existing, Recalled } from '../scripts/adds.ts';

const addJobsScript = luaScript('adds/add-jobs');

/** A call with more jobs gains nothing from sharing a run, and would make others wait. */
const MOST_JOBS_TO_SHARE = 10;

/** The most characters in one shared run: the store does nothing else while it executes the run. */
const LARGEST_SHARED_RUN = 262_144;

/** The answer of the script for a remembered add. */
type OnceAnswer = Recalled | readonly ['lost'] | readonly ['added', readonly AddAnswer[]];

/** The jobs of one call. */
type JobsToAdd = Pick<RepeatableJobs, 'jobs' | 'maxWaiting' | 'maxWaitingOfGroup'>;

/** What a run did that added staged jobs. */
interface StagedRun {
  readonly timestamp: number;
  /** The number of the first job. */
  readonly first: string;
  readonly existing: readonly Existing[];
  /** What is known of the add's key, if nothing was added because of it. */
  readonly recalled?: Recalled;
}

/** Adds jobs to queues. The jobs of a call are added all together or not at all. */
export class JobAdding {
  readonly #store: StoreCommands;
  readonly #clock: ClockPort;
  readonly #staged: StagedAdding;
  /** Calls that share a run are stored together or not at all, which is more than any of them promises. */
  readonly #shared = new SharedRuns<QueueKeys, AddCall, AddRun>(
    (keys, calls) => this.#addCalls(keys, calls),
    { largest: LARGEST_SHARED_RUN, sizeOf: ({ size }) => size, isOfSome: isRefused },
  );

  constructor(store: StoreCommands, clock: ClockPort) {
    this.#store = store;
    this.#clock = clock;
    this.#staged = new StagedAdding(store);
  }

  /** @throws DomainError `store-unavailable` or `queue-full`. */
  async add(
    keys: QueueKeys,
    jobs: readonly NewJob[],
    maxWaiting: number | undefined,
    maxWaitingOfGroup?: number,
  ): Promise<readonly AddedJob[]> {
    if (areToBeStaged(jobs)) {
      const run = await this.#addStaged(keys, { jobs, maxWaiting, maxWaitingOfGroup });
      return this.#shown(keys, jobs, recalledRun(jobs, run.timestamp, run.first, run.existing));
    }
    if (!jobs.some(isAddedAlone)) {
      const call = addCall(jobs, maxWaiting);
      if (isSharing(call)) return this.#shown(keys, jobs, await this.#shared.add(keys, call));
      const [run] = await this.#addCalls(keys, [call]);
      return this.#shown(keys, jobs, run as AddRun);
    }
    const run = await this.#run(keys, addCall(jobs, maxWaiting), { jobs, maxWaitingOfGroup });
    return this.#shown(keys, jobs, { ...run, answers: run.answer as AddAnswer[] });
  }

  /** @throws DomainError `store-unavailable` or `queue-full`. */
  async addOnce(
    keys: QueueKeys,
    add: RepeatableJobs,
    identity: AddIdentity & Pick<RecordedIdentity, 'holder'>,
  ): Promise<AddedOnce> {
    const { jobs } = add;
    const defaults = JSON.stringify(add.defaults);
    if (areToBeStaged(jobs)) {
      const known = await claimed(this.#store, keys, identity);
      if (known !== undefined) return this.#recalled(keys, add, known);
      const run = await this.#addStaged(keys, add, { ...identity, defaults });
      if (run.recalled !== undefined) return this.#recalled(keys, add, run.recalled);
      const stored = recalledRun(jobs, run.timestamp, run.first, run.existing);
      return { kind: 'added', jobs: await this.#shown(keys, jobs, stored) };
    }
    const call = addCall(jobs, add.maxWaiting);
    const { timestamp, ...run } = await this.#run(keys, call, add, { ...identity, defaults });
    const answer = run.answer as OnceAnswer;
    if (answer[0] === 'lost') return { kind: answer[0] };
    if (answer[0] !== 'added') return this.#recalled(keys, add, answer);
    const [kind, answers] = answer;
    return { kind, jobs: await this.#shown(keys, jobs, { answers, timestamp }) };
  }

  /** @throws DomainError `store-unavailable`. */
  async recall(
    keys: QueueKeys,
    add: RepeatableJobs,
    identity: AddIdentity,
  ): Promise<AddedOnce | undefined> {
    const known = await recalled(this.#store, keys, identity);
    return known && this.#recalled(keys, add, known);
  }

  async #recalled(keys: QueueKeys, add: RepeatableJobs, known: Recalled): Promise<AddedOnce> {
    const [kind] = known;
    if (kind !== 'repeated') return { kind };
    const [, addedAt, first, existing, defaults] = known;
    const jobs = remade(add, defaultsOf(defaults));
    return {
      kind,
      jobs: await this.#shown(keys, jobs, recalledRun(jobs, Number(addedAt), first, existing)),
    };
  }

  /** The jobs as the answer to the add shows them. */
  async #shown(
    keys: QueueKeys,
    jobs: readonly NewJob[],
    { answers, timestamp }: AddRun,
  ): Promise<readonly AddedJob[]> {
    const existing = answers.every(isFresh)
      ? undefined
      : await existingJobs(this.#store, keys, answers);
    return jobs.map((job, index) => {
      const answer = answers[index] as AddAnswer;
      if (isFresh(answer)) return freshJob(answer, job, timestamp, keys);
      const [id, isStanding] = answer;
      const known = existing?.get(id) ?? { id };
      return isStanding === 1 ? { ...known, deduplicated: true } : { ...known, existed: true };
    });
  }

  async #addCalls(keys: QueueKeys, calls: readonly AddCall[]): Promise<readonly AddRun[]> {
    const { answer, timestamp } = await this.#run(keys, oneCall(calls));
    const answers = answer as AddAnswer[];
    let first = 0;
    return calls.map(({ jobs }) => {
      const next = first + jobs;
      const ofCall = { answers: answers.slice(first, next), timestamp };
      first = next;
      return ofCall;
    });
  }

  /** @throws DomainError `store-unavailable`, `queue-full` or `group-full`. */
  async #addStaged(
    { queue }: QueueKeys,
    { jobs, maxWaiting, maxWaitingOfGroup }: JobsToAdd,
    identity?: RecordedIdentity,
  ): Promise<StagedRun> {
    const timestamp = this.#clock.now();
    const { answer, first } = await this.#staged.add({
      jobs: jobs.map((job) => ({ queue, id: job.opts.jobId ?? '', job, isParent: false })),
      isLarge: true,
      maxWaiting: () => maxWaiting,
      maxWaitingOfGroup: () => maxWaitingOfGroup,
      isFlow: false,
      timestamp,
      identity,
      what: 'an add',
    });
    switch (answer[0]) {
      case 'added':
        return { timestamp, first, existing: answer[1] };
      case 'full':
        throw queueFull(answer[1]);
      case 'group':
        throw groupFull(`[${answer[1]}].opts`, groupOf(jobs[answer[1]]), answer[2]);
      case 'repeated':
      case 'other':
      case 'running':
        return { timestamp, first, existing: [], recalled: answer };
      default:
        throw new Error(`An add cannot end with ${answer[0]}`);
    }
  }

  /** @param add its jobs and the bound of groups, where the jobs of the call may have groups. */
  async #run(
    keys: QueueKeys,
    { args, size, isDeduplicating, maxWaiting }: AddCall,
    { jobs, maxWaitingOfGroup }: Pick<JobsToAdd, 'jobs' | 'maxWaitingOfGroup'> = { jobs: [] },
    identity?: RecordedIdentity,
  ): Promise<{ readonly answer: unknown; readonly timestamp: number }> {
    const timestamp = this.#clock.now();
    const remembered = identity === undefined ? '' : JSON.stringify(identity);
    const answer = await runInTime(this.#store, {
      script: addJobsScript,
      keys: addKeys(keys),
      args: (deadline) => [
        keys.jobPrefix,
        timestamp,
        deadline,
        maxWaiting ?? '',
        remembered,
        isDeduplicating ? 1 : '',
        maxWaitingOfGroup ?? '',
        ...args,
      ],
      count: args.length,
      size,
      what: 'an add',
    });
    if (Array.isArray(answer) && answer[0] === GROUP_FULL) {
      const [, position, waiting] = answer as [number, number, number];
      throw groupFull(`[${position}].opts`, groupOf(jobs[position]), waiting);
    }
    if (answer === FULL && maxWaiting !== undefined) throw queueFull(maxWaiting);
    return { answer, timestamp };
  }
}

/** Whether the add of a job may fail because of the job itself: others must not fail with it. */
function isAddedAlone(job: NewJob): boolean {
  return isDeduplicated(job) || job.opts.group !== undefined;
}

function isSharing({ jobs, size }: AddCall): boolean {
  return jobs <= MOST_JOBS_TO_SHARE && size <= LARGEST_SHARED_RUN;
}

/** The jobs of all calls as one, with the strictest bound of theirs. */
function oneCall(calls: readonly AddCall[]): AddCall {
  if (calls.length === 1) return calls[0] as AddCall;
  const args: ScriptArgument[] = [];
  let size = 0;
  let maxWaiting: number | undefined;
  for (const call of calls) {
    for (const argument of call.args) args.push(argument);
    size += call.size;
    if (call.maxWaiting === undefined) continue;
    maxWaiting = Math.min(call.maxWaiting, maxWaiting ?? Infinity);
  }
  return { args, jobs: args.length, size, isDeduplicating: false, maxWaiting };
}

/**
 * Whether the store refused a run because of some of its calls: because of their keys, or since too many jobs would
 * wait.
 */
function isRefused(error: unknown): boolean {
  return isWrongType(error) || isQueueFull(error);
}

function groupOf(job: NewJob | undefined): string {
  return job?.opts.group?.id ?? NO_GROUP;
}

function isFresh(answer: AddAnswer): answer is string {
  return typeof answer === 'string';
}

function addKeys(keys: QueueKeys): string[] {
  return [
    keys.wait,
    keys.active,
    keys.prioritized,
    keys.delayed,
    keys.events,
    keys.meta,
    keys.counter,
    keys.marker,
    keys.priorityCounter,
    keys.registry,
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
