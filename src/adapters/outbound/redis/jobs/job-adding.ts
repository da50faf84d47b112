import { remade } from '../../../../domain/jobs/made-jobs.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { AddedOnce, RepeatableJobs } from '../../../../application/ports/queue-port.ts';
import { NO_GROUP } from '../../../../domain/groups/group-id.ts';
import type { AddIdentity } from '../../../../domain/jobs/add-identity.ts';
import { groupFull, isQueueFull, queueFull } from '../../../../domain/errors.ts';
import type { AddedJob, NewJob } from '../../../../domain/jobs/job.ts';
import { SharedRuns } from '../connection/shared-runs.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { isWrongType } from '../connection/store-errors.ts';
import { runInTime } from '../connection/timely-run.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
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
import type { AddOutcome, Recalled } from '../scripts/adds.ts';
import { tuple } from '../scripts/answer-check.ts';

const addJobsScript = luaScript('adds/add-jobs');

/** A call with more jobs gains nothing from sharing a run, and would make others wait. */
const MOST_JOBS_TO_SHARE = 10;

/** The most characters in one shared run: the store does nothing else while it executes the run. */
const LARGEST_SHARED_RUN = 262_144;

/** The jobs of one call. */
type JobsToAdd = Pick<RepeatableJobs, 'jobs' | 'maxWaiting' | 'maxWaitingOfGroup'>;

/** What a run did, and when, in epoch milliseconds. */
interface Outcome {
  readonly answer: AddOutcome;
  readonly timestamp: number;
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

  /** @throws DomainError `store-unavailable`, `queue-full` or `group-full`. */
  async add(
    keys: QueueKeys,
    jobs: readonly NewJob[],
    maxWaiting: number | undefined,
    maxWaitingOfGroup?: number,
  ): Promise<readonly AddedJob[]> {
    if (areToBeStaged(jobs) || jobs.some(isAddedAlone)) {
      const outcome = await this.#stored(keys, { jobs, maxWaiting, maxWaitingOfGroup });
      return this.#shown(keys, jobs, addedRun(jobs, outcome));
    }
    const call = addCall(jobs, maxWaiting);
    if (isSharing(call)) return this.#shown(keys, jobs, await this.#shared.add(keys, call));
    return this.#shown(keys, jobs, addedRun(jobs, await this.#run(keys, call)));
  }

  /** @throws as `add`. */
  async addOnce(
    keys: QueueKeys,
    add: RepeatableJobs,
    identity: AddIdentity & Pick<RecordedIdentity, 'holder'>,
  ): Promise<AddedOnce> {
    const { jobs } = add;
    const known = areToBeStaged(jobs) ? await claimed(this.#store, keys, identity) : undefined;
    if (known !== undefined) return this.#recalled(keys, add, known);
    const defaults = JSON.stringify(add.defaults);
    const outcome = await this.#stored(keys, add, { ...identity, defaults });
    const { answer } = outcome;
    switch (answer[0]) {
      case 'lost':
        return { kind: 'lost' };
      case 'repeated':
      case 'other':
      case 'running':
        return this.#recalled(keys, add, answer);
      default:
        return { kind: 'added', jobs: await this.#shown(keys, jobs, addedRun(jobs, outcome)) };
    }
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
    const call = oneCall(calls);
    const { answers, timestamp } = addedRun(call.jobs, await this.#run(keys, call));
    let first = 0;
    return calls.map(({ jobs }) => {
      const next = first + jobs.length;
      const ofCall = { answers: answers.slice(first, next), timestamp };
      first = next;
      return ofCall;
    });
  }

  /** @throws as `add`. */
  async #stored(
    keys: QueueKeys,
    { jobs, maxWaiting, maxWaitingOfGroup }: JobsToAdd,
    identity?: RecordedIdentity,
  ): Promise<Outcome> {
    if (!areToBeStaged(jobs)) {
      return this.#run(keys, addCall(jobs, maxWaiting), maxWaitingOfGroup, identity);
    }
    const { queue } = keys;
    const timestamp = this.#clock.now();
    const answer = await this.#staged.add({
      jobs: jobs.map((job) => ({ queue, id: job.opts.jobId ?? '', job, isParent: false })),
      maxWaiting: () => maxWaiting,
      maxWaitingOfGroup: () => maxWaitingOfGroup,
      isFlow: false,
      numberedIn: queue,
      home: queue,
      timestamp,
      identity,
      what: 'an add',
    });
    return { answer: unlessFull(answer, jobs, maxWaiting), timestamp };
  }

  /** @throws as `add`. */
  async #run(
    keys: QueueKeys,
    { args, jobs, size, isDeduplicating, maxWaiting }: AddCall,
    maxWaitingOfGroup?: number,
    identity?: RecordedIdentity,
  ): Promise<Outcome> {
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
    const outcome = tuple<AddOutcome>(answer, addJobsScript.name);
    return { answer: unlessFull(outcome, jobs, maxWaiting), timestamp };
  }
}

/** @throws DomainError `queue-full` or `group-full`. */
function unlessFull(answer: AddOutcome, jobs: readonly NewJob[], maxWaiting = 0): AddOutcome {
  if (answer[0] !== 'full') return answer;
  const [, [excess], [full]] = answer;
  if (excess !== undefined || full === undefined) throw queueFull(maxWaiting);
  const [position, waiting] = full;
  throw groupFull(`[${position}].opts`, jobs[position]?.opts.group?.id ?? NO_GROUP, waiting);
}

function addedRun(jobs: readonly NewJob[], { answer, timestamp }: Outcome): AddRun {
  if (answer[0] !== 'added') throw new Error(`An add cannot end with ${answer[0]}`);
  const [, first, existing, bytes] = answer;
  return recalledRun(jobs, timestamp, first, existing, bytes);
}

/** Whether the add of a job may fail because of the job itself: others must not fail with it. */
function isAddedAlone(job: NewJob): boolean {
  return isDeduplicated(job) || job.opts.group !== undefined;
}

function isSharing({ jobs, size }: AddCall): boolean {
  return jobs.length <= MOST_JOBS_TO_SHARE && size <= LARGEST_SHARED_RUN;
}

/** The jobs of all calls as one, with the strictest bound of theirs. */
function oneCall(calls: readonly AddCall[]): AddCall {
  if (calls.length === 1) return calls[0] as AddCall;
  const args = calls.flatMap((call) => call.args);
  const jobs = calls.flatMap((call) => call.jobs);
  let size = 0;
  let maxWaiting: number | undefined;
  for (const call of calls) {
    size += call.size;
    if (call.maxWaiting === undefined) continue;
    maxWaiting = Math.min(call.maxWaiting, maxWaiting ?? Infinity);
  }
  return { args, jobs, size, isDeduplicating: false, maxWaiting };
}

/**
 * Whether the store refused a run because of some of its calls: because of their keys, or since too many jobs would
 * wait.
 */
function isRefused(error: unknown): boolean {
  return isWrongType(error) || isQueueFull(error);
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
