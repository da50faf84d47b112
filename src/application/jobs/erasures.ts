import type { Caller } from '../../domain/access/caller.ts';
import { queuePatterns } from '../../domain/access/queue-patterns.ts';
import {
  erasure,
  isErased,
  type Erasure,
  type ErasureFilter,
  type ErasureInput,
} from '../../domain/jobs/erasure.ts';
import type { ActionOutcome } from '../../domain/jobs/job-actions.ts';
import { isReservedJobId } from '../../domain/jobs/job-id.ts';
import { JOB_STATES } from '../../domain/jobs/job-status.ts';
import { isCallbackEvent, Traces } from '../../domain/jobs/traces.ts';
import {
  CALLBACK_QUEUE,
  queueOfHeld,
  queueOfHook,
  TOPIC_QUEUE,
} from '../../domain/queues/own-queue.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { object, required, integer, type Shaped } from '../../domain/values/shape.ts';
import type { CallFiguresPort } from '../ports/call-figures-port.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import { JOBS_PER_ERASURE, type ErasurePort } from '../ports/erasure-port.ts';
import type { FiguresPort } from '../ports/figures-port.ts';
import type { KeptHooks } from '../kept/hooks.ts';
import type { ScannedField, ScannedJob } from '../ports/job-scan-port.ts';
import type { ReplicaSignalsPort } from '../ports/replica-signals-port.ts';
import type { QueueNames } from '../queues/queue-names.ts';
import { inTurns } from '../running/in-turns.ts';
import { onceChanged } from '../running/once-changed.ts';
import type { Startable } from '../running/startable.ts';
import { gatherWaiting, scannedJobs } from './found-jobs.ts';

/** How many jobs are removed concurrently. */
const JOBS_AT_ONCE = 50;

/** How much an erasure removed, by where it was. */
export const erasedPlacesShape = object('ErasedPlaces', {
  jobs: required(integer(0), 'Jobs'),
  events: required(integer(0), 'Kept events that lost values'),
  remembered: required(
    integer(0),
    'Remembered adds that named a job, and jobs that waited for their deduplication id',
  ),
  callbacks: required(integer(0), 'Calls and jobs that followed the end of a job'),
  deliveries: required(integer(0), 'Messages to hooks'),
  steps: required(integer(0), 'Values of steps'),
  signals: required(integer(0), 'Kept signals'),
});

export type ErasedPlaces = Shaped<typeof erasedPlacesShape>;

export const erasureResultShape = object('ErasureResult', {
  matched: required(integer(0), 'How many jobs matched, whatever the limit'),
  done: required(integer(0), 'How many of them it erased'),
  remaining: required(
    integer(0),
    'How many jobs still match: beyond the limit, active, or the next one of a scheduler',
  ),
  places: required(erasedPlacesShape, 'How much was removed, by where it was'),
});

export type ErasureResult = Shaped<typeof erasureResultShape>;

/** The reports of this process about failed jobs, which hold the reasons of failures. */
export interface ForgetsReasons {
  /** Forgets why jobs and calls failed, in all queues unless one is given. */
  forget(queue?: QueueName): void;
}

export interface ErasuresDependencies extends Pick<CommonPorts, 'scan' | 'control'> {
  readonly erasure: ErasurePort;
  readonly figures: Pick<FiguresPort, 'forget'>;
  readonly callFigures: Pick<CallFiguresPort, 'forget'>;
  readonly names: Pick<QueueNames, 'list'>;
  readonly hooks: Pick<KeptHooks, 'ids'>;
  readonly recorders: ForgetsReasons;
  readonly signals: Pick<ReplicaSignalsPort, 'send' | 'listen'>;
  readonly clock: Pick<ClockPort, 'now' | 'turn'>;
}

/** The jobs of one queue that are erased, or that a callback added to tell of an erased one. */
interface Found {
  readonly queue: QueueName;
  readonly jobs: ScannedJob[];
  /** Jobs with steps that do not match. */
  readonly others: ScannedJob[];
  readonly callbacks: ScannedJob[];
  hasCallbacks: boolean;
}

type Places = { -readonly [Place in keyof ErasedPlaces]: ErasedPlaces[Place] };

const NOTHING: ErasedPlaces = {
  jobs: 0,
  events: 0,
  remembered: 0,
  callbacks: 0,
  deliveries: 0,
  steps: 0,
  signals: 0,
};

/**
 * Erases what the store has of some jobs, in short steps as a bulk repair does (reach contract, section 20). Jobs go
 * last: an erasure that was cut off finds them again, and with them all that belongs to them. While it runs, it forgets
 * what this replica has not written yet of jobs that another one erases.
 */
export class Erasures implements Startable {
  readonly name = 'listener for erasures';
  readonly #dependencies: ErasuresDependencies;
  #endListening: (() => void) | undefined;

  constructor(dependencies: ErasuresDependencies) {
    this.#dependencies = dependencies;
  }

  start(): Promise<void> {
    const { signals, recorders } = this.#dependencies;
    this.#endListening = signals.listen('erased', ({ queue }) => {
      recorders.forget(queue);
    });
    return Promise.resolve();
  }

  stop(): Promise<void> {
    this.#endListening?.();
    return Promise.resolve();
  }

  /**
   * When it throws an error that `mayBeStored`, some of it may be done; it may be repeated.
   *
   * @param caller whose queues it is about.
   * @throws DomainError `invalid-request` naming the field.
   */
  async erase(
    input: ErasureInput,
    caller: Pick<Caller, 'mayUse' | 'onlyQueues'>,
  ): Promise<ErasureResult> {
    const order = erasure(input);
    const isNamed = queuePatterns(input.queues ?? null);
    const { filter } = order;
    const isInScope = (queue: string): boolean =>
      caller.mayUse(queue) && (filter.kind === 'data' ? isNamed(queue) : queue === filter.queue);
    const queues =
      filter.kind === 'data'
        ? await this.#dependencies.names.list(undefined, true, isInScope)
        : [filter.queue];
    const isOfAllQueues = caller.onlyQueues === undefined && input.queues === undefined;
    const traces = new Traces(order, isInScope, isOfAllQueues);
    const { matched, found } = await this.#find(queues, order, traces);
    if (order.isDryRun) return { matched, done: 0, remaining: matched, places: NOTHING };
    await this.#findCallbacks(found, traces);
    // From here on, most steps remove something.
    return onceChanged(this.#eraseAll(queues, found, order, traces, matched));
  }

  async #eraseAll(
    queues: readonly QueueName[],
    found: readonly Found[],
    order: Erasure,
    traces: Traces,
    matched: number,
  ): Promise<ErasureResult> {
    const places = { ...NOTHING };
    await this.#eraseDeliveries(queues, traces, places);
    const { erasure } = this.#dependencies;
    places.remembered += await erasure.forgetAdds(TOPIC_QUEUE, traces, order.filter);
    let gone = 0;
    for (const each of found) gone += await this.#eraseIn(each, order, traces, places);
    if (Object.values(places).some((count) => count > 0)) await erasure.scrub();
    return { matched, done: places.jobs, remaining: matched - places.jobs - gone, places };
  }

  async #find(
    queues: readonly QueueName[],
    order: Erasure,
    traces: Traces,
  ): Promise<{ readonly matched: number; readonly found: readonly Found[] }> {
    const { filter, limit, mode } = order;
    const all: Found[] = [];
    let [matched, taken] = [0, 0];
    for (const queue of queues) {
      const found: Found = { queue, jobs: [], others: [], callbacks: [], hasCallbacks: false };
      all.push(found);
      for await (const job of this.#scanned(queue, filter)) {
        const { id, state, data, redactedOn, stepped } = job;
        found.hasCallbacks ||= filter.kind === 'data' && isCallbackEvent(data);
        if (stepped === true && !isErased(filter, job)) found.others.push({ id, state });
        if (!isErased(filter, job) || (mode === 'redact' && redactedOn !== undefined)) continue;
        const isLookedAt = order.states.includes(state);
        if (isLookedAt) matched += 1;
        if (!isLookedAt || state === 'active') traces.leave(queue, id);
        else if (taken < limit) {
          taken += 1;
          found.jobs.push({ id, state });
          traces.erase(queue, id);
        }
      }
    }
    return { matched, found: all };
  }

  /** All jobs that the filter may be about, with the fields that it examines. */
  async *#scanned(queue: QueueName, filter: ErasureFilter): AsyncGenerator<ScannedJob> {
    const { scan } = this.#dependencies;
    const fields: readonly ScannedField[] =
      filter.kind === 'ids' ? ['redactedOn'] : [filter.kind, 'redactedOn', 'stepped'];
    if (filter.kind === 'ids') {
      const ids = [...filter.ids].filter((id) => !isReservedJobId(id));
      for await (const jobs of scan.look(queue, ids, fields)) yield* jobs;
      return;
    }
    yield* this.#each(queue, fields);
  }

  async *#each(queue: QueueName, fields: readonly ScannedField[]): AsyncGenerator<ScannedJob> {
    const { scan } = this.#dependencies;
    for await (const jobs of scannedJobs(scan, queue, JOB_STATES, fields)) yield* jobs;
  }

  /** Finds the jobs that tell of erased ones, now that these are known. */
  async #findCallbacks(found: readonly Found[], traces: Traces): Promise<void> {
    for (const { queue, callbacks, hasCallbacks } of found) {
      if (!hasCallbacks) continue;
      for await (const { id, state, data } of this.#each(queue, ['data'])) {
        if (data === undefined || traces.isOfJob(queue, id) || !traces.isOfCallback(data)) continue;
        callbacks.push({ id, state });
        traces.erase(queue, id);
      }
    }
  }

  async #eraseDeliveries(
    queues: readonly QueueName[],
    traces: Traces,
    places: Places,
  ): Promise<void> {
    // Of those that are held back first: the next of these is made as one before it goes.
    for (const queue of queues) {
      places.callbacks += await this.#eraseMessages(queueOfHeld(queue), traces);
    }
    places.callbacks += await this.#eraseMessages(CALLBACK_QUEUE, traces);
    for (const id of await this.#dependencies.hooks.ids()) {
      places.deliveries += await this.#eraseMessages(queueOfHook(id), traces);
    }
  }

  /** A message that is being sent goes too. */
  async #eraseMessages(queue: QueueName, traces: Traces): Promise<number> {
    const messages: ScannedJob[] = [];
    for await (const { id, state, data } of this.#each(queue, ['data'])) {
      if (data === undefined || !traces.isOfDelivery(data)) continue;
      messages.push({ id, state });
      traces.erase(queue, id);
    }
    if (messages.length === 0) return 0;
    const { control, erasure } = this.#dependencies;
    await this.#redact(queue, messages, traces);
    const removed = await this.#remove(queue, messages, ({ id, state }) =>
      state === 'active' ? control.removeActive(queue, id) : control.removeAlone(queue, id),
    );
    await erasure.forgetEvents(queue, traces);
    return removed.done;
  }

  /** @returns how many jobs were gone already, or had left their state for one that does not match. */
  async #eraseIn(
    { queue, jobs, others, callbacks }: Found,
    { filter, mode }: Erasure,
    traces: Traces,
    places: Places,
  ): Promise<number> {
    const { erasure, figures, callFigures, clock } = this.#dependencies;
    const { count, last } = await erasure.forgetEvents(queue, traces);
    places.events += count;
    places.remembered += await erasure.forgetAdds(queue, traces, filter);
    if (jobs.length > 0) this.#forgetReasons(queue);
    await figures.forget(queue, traces, clock.now());
    await callFigures.forget(queue, traces, clock.now());
    // Values that were read in the meantime may still be there.
    if (jobs.length > 0) this.#forgetReasons(queue);
    const stepped = { erased: jobs.map(({ id }) => id), others: others.map(({ id }) => id) };
    const forgotten = await erasure.forgetSteps(queue, stepped, filter);
    places.steps += forgotten.steps;
    places.signals += forgotten.signals;
    const redacted = await this.#redact(queue, mode === 'remove' ? ended(jobs) : jobs, traces);
    // One that has left its state meanwhile may have told others of itself: it is left for the next call.
    const alone = ({ id, state }: ScannedJob): Promise<ActionOutcome> =>
      this.#dependencies.control.removeAlone(queue, id, [state]);
    await this.#redact(queue, ended(callbacks), traces);
    const following = await this.#remove(queue, callbacks, alone);
    places.callbacks += following.done;
    if (mode === 'redact') {
      places.jobs += redacted;
      return jobs.length - redacted;
    }
    const removed = await this.#remove(queue, jobs, alone);
    places.jobs += removed.done;
    await erasure.forgetGroups(queue, traces);
    // That they were removed is an event of them too.
    if (removed.done + following.done > 0) await erasure.forgetEvents(queue, traces, last);
    return removed.gone;
  }

  /** Has every replica forget what it has of the reasons in memory. */
  #forgetReasons(queue: QueueName): void {
    const { recorders, signals } = this.#dependencies;
    recorders.forget(queue);
    signals.send('erased', { queue });
  }

  /** What ended jobs left with others, such as their parents, goes before they do. */
  async #redact(queue: QueueName, jobs: readonly ScannedJob[], traces: Traces): Promise<number> {
    let redacted = 0;
    for await (const some of inTurns(this.#dependencies.clock, jobs, JOBS_PER_ERASURE)) {
      const ids = some.map(({ id }) => id);
      redacted += await this.#dependencies.erasure.redact(queue, ids, traces);
    }
    return redacted;
  }

  async #remove(
    queue: QueueName,
    jobs: readonly ScannedJob[],
    remove: (job: ScannedJob) => Promise<ActionOutcome>,
  ): Promise<{ readonly done: number; readonly gone: number }> {
    await gatherWaiting(this.#dependencies.control, queue, jobs);
    let [done, gone] = [0, 0];
    for await (const some of inTurns(this.#dependencies.clock, jobs, JOBS_AT_ONCE)) {
      const outcomes = await Promise.all(some.map(remove));
      done += outcomes.filter(({ kind }) => kind === 'done').length;
      gone += outcomes.filter(({ kind }) => kind === 'missing').length;
    }
    return { done, gone };
  }
}

function ended(jobs: readonly ScannedJob[]): readonly ScannedJob[] {
  return jobs.filter(({ state }) => state === 'completed' || state === 'failed');
}
