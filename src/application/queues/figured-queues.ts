import { failingShape } from '../../domain/figures/failing.ts';
import { SPARK_MINUTES, ratesShape } from '../../domain/figures/queue-rates.ts';
import type { ListedState, Order, QueueSort } from '../../domain/queues/listed-states.ts';
import { namePattern, namePatternShape } from '../../domain/queues/name-pattern.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import { checkPage } from '../../domain/values/page.ts';
import {
  object,
  required,
  nullable,
  oneOf,
  numberFrom,
  listOf,
  type Shaped,
  time,
  integer,
  string,
  number,
} from '../../domain/values/shape.ts';
import { attentionOf, attentionShape } from '../../domain/workers/attention.ts';
import { blockedShape } from '../../domain/workers/blocked.ts';
import {
  conditionOf,
  destinationsField,
  WORKER_STATES,
} from '../../domain/workers/worker-health.ts';
import { Shared } from '../running/shared.ts';
import { FreshRuns } from '../running/fresh-runs.ts';
import type { BlockedQueues } from './blocked-queues.ts';
import { listedQueue, listedQueueFields } from './listed-queue.ts';
import type { QueueNames } from './queue-names.ts';
import type { QueueView, ViewedQueue } from './queue-view.ts';
import type { QueuesPage, QueuesQuery } from './queues.ts';
import {
  NO_FIGURES,
  type FiguresByQueue,
  type FiguresOfQueue,
  type RecentQueueFigures,
} from './recent-queue-figures.ts';
import type { CommonPorts } from '../ports/common-ports.ts';

/** Which queues to list, and in which order. */
export interface FiguredQueuesQuery extends QueuesQuery {
  readonly sort: QueueSort;
  /** By default, names are in ascending order, and numbers start with the largest. */
  readonly order: Order | undefined;
  readonly state: ListedState | undefined;
  /** Which queues the caller may see; all by default. */
  readonly mayUse?: ((queue: string) => boolean) | undefined;
}

/** A queue in a list, with its figures. */
export const figuredQueueShape = object('FiguredQueue', {
  ...listedQueueFields,
  worker: required(
    nullable(
      object('ListedWorker', {
        url: required(nullable(string), 'The URL of the endpoint; null without one of its own'),
        destinations: destinationsField,
        state: required(oneOf(...WORKER_STATES), 'Why it is not called, if there is a reason'),
      }),
    ),
    'The worker; null without one',
  ),
  blocked: required(
    nullable(blockedShape),
    'Why nothing starts although jobs wait; null when jobs start, or none waits',
  ),
  rates: required(
    ratesShape,
    'Jobs per minute, as a mean of the last five whole minutes, or of those since a younger queue began; in its first minute, the jobs so far',
  ),
  failureRate: required(
    nullable(numberFrom(0, 1)),
    'Of the jobs that ended within the last hour, the part that failed; null without one',
  ),
  failing: required(
    nullable(failingShape),
    'Whether jobs fail: more than a fifth of at least ten that ended within the last hour, or all of at least three within the last 24 hours; null if not',
  ),
  attention: required(
    nullable(attentionShape),
    'Why an operator should look at the queue: nothing starts that should, a pause or a limit keeps jobs for long, or jobs fail; null if there is no such reason',
  ),
  spark: required(
    listOf(number),
    `The completions of each of the last ${SPARK_MINUTES} whole minutes, oldest first`,
  ),
});

export type FiguredQueue = Shaped<typeof figuredQueueShape>;

export const figuredQueuesPageShape = object('FiguredQueuesPage', {
  at: required(time, 'When the queues were looked at, in milliseconds since 1970'),
  total: required(integer(0), 'The number of queues on all pages together'),
  queues: required(listOf(figuredQueueShape), 'The queues of this page'),
});

export type FiguredQueuesPage = Shaped<typeof figuredQueuesPageShape>;

export interface FiguredQueuesDependencies extends Pick<CommonPorts, 'breakers' | 'clock'> {
  readonly names: QueueNames;
  readonly view: QueueView;
  readonly figures: RecentQueueFigures;
  readonly blocked: BlockedQueues;
}

/** The fields of a queue that sorting and filtering need. */
interface Candidate extends ViewedQueue {
  readonly recent?: FiguresOfQueue;
}

/** Lists queues with their figures, sorted and filtered by their state (platform contract, section 10). */
export class FiguredQueues {
  readonly #dependencies: FiguredQueuesDependencies;
  /** Lists for callers who may use all queues. */
  readonly #lists = new FreshRuns((query) => this.#list(JSON.parse(query) as FiguredQueuesQuery));
  /** By the time of a view: they are read once for all requests that share it. */
  readonly #recent: Shared<FiguresByQueue, number>;

  constructor(dependencies: FiguredQueuesDependencies) {
    this.#dependencies = dependencies;
    const { clock, figures } = dependencies;
    this.#recent = new Shared(clock, { freshFor: Infinity }, (_, at: number) => figures.all(at));
  }

  /**
   * When sorted by name alone, the queues of the page are read now. With another order or a filter by state, they come
   * from a view of the first queues that is at most five seconds old.
   *
   * @throws DomainError `invalid-request` naming the parameter.
   */
  async list(query: FiguredQueuesQuery): Promise<FiguredQueuesPage> {
    checkPage({ start: query.start, length: query.length });
    if (query.name !== undefined) checkShape(namePatternShape, query.name, 'name');
    return query.mayUse === undefined ? this.#lists.run(JSON.stringify(query)) : this.#list(query);
  }

  #list(query: FiguredQueuesQuery): Promise<FiguredQueuesPage> {
    return query.sort === 'name' && query.state === undefined
      ? this.#byName(query)
      : this.#fromView(query);
  }

  /**
   * The queues of a state, by name and without figures, from a view that is at most five seconds old.
   *
   * @throws DomainError `invalid-request` naming the parameter.
   */
  async listOfState(
    { start, length, name }: QueuesQuery,
    state: ListedState,
    mayUse?: (queue: string) => boolean,
  ): Promise<QueuesPage> {
    checkPage({ start, length });
    if (name !== undefined) checkShape(namePatternShape, name, 'name');
    const { at, queues: chosen } = await this.#chosen({ name, state, mayUse });
    const page = chosen.slice(start, start + length);
    return { total: chosen.length, queues: page.map((viewed) => listedQueue(viewed, at)) };
  }

  async #byName(query: FiguredQueuesQuery): Promise<FiguredQueuesPage> {
    const { start, length, name, order, discover } = query;
    const { names, view, clock } = this.#dependencies;
    const at = clock.now();
    const listed = await names.list(name, discover, query.mayUse);
    const sorted = order === 'desc' ? listed.toReversed() : listed;
    const page = sorted.slice(start, start + length);
    const queues = await view.of(page);
    return {
      at,
      total: listed.length - (page.length - queues.length),
      queues: await this.#figured(queues, at, query.mayUse),
    };
  }

  async #fromView(query: FiguredQueuesQuery): Promise<FiguredQueuesPage> {
    const { at, queues: chosen } = await this.#chosen(query);
    const page = sorted(chosen, query).slice(query.start, query.start + query.length);
    return { at, total: chosen.length, queues: await this.#figured(page, at, query.mayUse) };
  }

  async #chosen({
    name,
    state,
    sort,
    mayUse,
  }: Pick<FiguredQueuesQuery, 'name' | 'state' | 'mayUse'> & {
    readonly sort?: QueueSort;
  }): Promise<{ readonly at: number; readonly queues: readonly Candidate[] }> {
    const { at, queues } = await this.#dependencies.view.queues();
    const isWanted = namePattern(name);
    const named = queues.filter(({ queue }) => isWanted(queue) && (mayUse?.(queue) ?? true));
    const candidates =
      sort === 'rate' || state === 'failing' ? await this.#withRecent(named, at) : named;
    return { at, queues: await this.#ofState(candidates, state) };
  }

  async #withRecent(queues: readonly ViewedQueue[], at: number): Promise<readonly Candidate[]> {
    const recent = await this.#recent.of(at);
    return queues.map((viewed) => {
      const figures = recent.get(viewed.queue);
      return figures === undefined ? viewed : { ...viewed, recent: figures };
    });
  }

  async #ofState(
    queues: readonly Candidate[],
    state: ListedState | undefined,
  ): Promise<readonly Candidate[]> {
    if (state === undefined) return queues;
    if (state === 'blocked') {
      const reasons = await this.#dependencies.blocked.reasons(queues);
      return queues.filter((_, index) => reasons[index] !== undefined);
    }
    if (state === 'open') return this.#open(queues);
    return queues.filter((queue) => IS_IN[state](queue));
  }

  async #open(queues: readonly Candidate[]): Promise<readonly Candidate[]> {
    const guarded = queues.filter(({ worker }) => worker?.opts?.breaker !== undefined);
    const states = await Promise.all(guarded.map((viewed) => this.#workerOf(viewed)));
    return guarded.filter((_, index) => OPEN_STATES.has(states[index]?.state));
  }

  async #figured(
    queues: readonly ViewedQueue[],
    now: number,
    mayUse: FiguredQueuesQuery['mayUse'],
  ): Promise<readonly FiguredQueue[]> {
    const { figures, blocked } = this.#dependencies;
    const names = queues.map(({ queue }) => queue);
    const [reasons, recent, workers] = await Promise.all([
      blocked.reasons(queues, mayUse),
      figures.of(names, now),
      Promise.all(queues.map((viewed) => this.#workerOf(viewed))),
    ]);
    return queues.map((viewed, index) => {
      const { rates, failureRate, failing, spark } = recent.get(viewed.queue) ?? NO_FIGURES;
      const listed = listedQueue(viewed, now);
      const blocked = reasons[index] ?? null;
      return {
        ...listed,
        worker: workers[index] ?? null,
        blocked,
        rates,
        failureRate,
        failing,
        attention: attentionOf({ blocked, failing, oldestWaiting: listed.oldestWaiting }),
        spark,
      };
    });
  }

  async #workerOf({ queue, glance, worker }: ViewedQueue): Promise<FiguredQueue['worker']> {
    if (worker === undefined) return null;
    const breaker =
      worker.opts?.breaker === undefined
        ? undefined
        : await this.#dependencies.breakers.find(queue);
    const { state } = conditionOf(worker, { breaker, hold: glance.hold });
    const { url } = worker.endpoint;
    return { url, ...(url === null && { destinations: true }), state };
  }
}

const OPEN_STATES: ReadonlySet<string | undefined> = new Set(['open', 'probing']);

type PlainState = Exclude<ListedState, 'blocked' | 'open'>;

const IS_IN: Readonly<Record<PlainState, (queue: Candidate) => boolean>> = {
  paused: ({ glance }) => glance.isPaused,
  held: ({ glance }) => glance.hold !== undefined,
  closed: ({ window }) => window?.open === false,
  disabled: ({ worker }) => worker?.disabled !== undefined,
  failing: ({ recent }) => recent !== undefined && recent.failing !== null,
  idle: ({ glance: { counts } }) =>
    counts.waiting + counts.prioritized + counts.delayed + counts.active === 0,
};

/** The sort keys of queues, besides the name; a queue without a value comes after those with one. */
const NUMBERS: Readonly<Record<Exclude<QueueSort, 'name'>, (queue: Candidate) => number>> = {
  waiting: ({ glance: { counts } }) => counts.waiting + counts.prioritized,
  active: ({ glance: { counts } }) => counts.active,
  failed: ({ glance: { counts } }) => counts.failed,
  // An older timestamp means a greater age.
  oldest: ({ glance: { waitingSince } }) =>
    waitingSince === undefined ? -Infinity : -waitingSince,
  rate: ({ recent }) => recent?.rates.completed ?? 0,
};

/** Queues with equal values stay in the order of their names. */
function sorted(
  queues: readonly Candidate[],
  { sort, order }: FiguredQueuesQuery,
): readonly Candidate[] {
  if (sort === 'name') return order === 'desc' ? queues.toReversed() : queues;
  const numberOf = NUMBERS[sort];
  const direction = order === 'asc' ? 1 : -1;
  return queues.toSorted((a, b) => {
    const [one, other] = [numberOf(a), numberOf(b)];
    return one === other ? 0 : one < other ? -direction : direction;
  });
}
