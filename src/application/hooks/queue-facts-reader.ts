import { keptOrMade } from '../../domain/values/kept-or-made.ts';
import type { ConditionEvent } from '../../domain/hooks/hook-events.ts';
import type { Hook } from '../../domain/hooks/hook.ts';
import { conditionsNamed } from '../../domain/hooks/conditions.ts';
import type { QueueFacts } from '../../domain/hooks/queue-facts.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { waitingAge } from '../../domain/queues/waiting-age.ts';
import { piecesOf } from '../../domain/values/pieces.ts';
import type { QueueStanding } from '../../domain/workers/blocked.ts';
import { isDisabledByItself } from '../../domain/workers/worker-disabling.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { HooksInForce } from '../ports/hooks-in-force.ts';
import type { QueueStandingPort } from '../ports/queue-standing-port.ts';
import type { QueueView, ViewedQueue } from '../queues/queue-view.ts';
import { standingQuery } from '../queues/standing-query.ts';
import type { EndsByQueue, EndsReader } from './ends-reader.ts';

/** How many queues have their standings read at a time. */
const READ_AT_ONCE = 200;

/** The facts of how many queues are put together in one turn of the event loop. */
const MADE_AT_ONCE = 1000;

/** What was read for a look. */
export interface FactsOfHooks {
  /** When the queues were read, epoch ms. */
  readonly at: number;
  /** The facts of all queues that a hook is about. */
  readonly of: (hook: Hook) => readonly QueueFacts[];
}

export interface QueueFactsReaderDependencies {
  readonly hooks: Pick<HooksInForce, 'watching'>;
  readonly view: Pick<QueueView, 'queues'>;
  readonly standings: Pick<QueueStandingPort, 'standings'>;
  readonly ends: EndsReader;
  readonly clock: ClockPort;
}

/** Reads the facts that decide about the conditions of hooks: of each queue once, and only those that a hook asks for. */
export class QueueFactsReader {
  readonly #dependencies: QueueFactsReaderDependencies;

  constructor(dependencies: QueueFactsReaderDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws DomainError `store-unavailable`. */
  async read(): Promise<FactsOfHooks> {
    const { at, queues } = await this.#dependencies.view.queues();
    const asked = new AskedQueues(queues, (queue) => this.#dependencies.hooks.watching(queue));
    const [standings, ends] = await Promise.all([
      this.#standings(queues.filter((viewed) => asked.needsStanding(viewed))),
      this.#ends(asked, at),
    ]);
    const facts = new Map<QueueName, QueueFacts>();
    for (const some of piecesOf(queues, MADE_AT_ONCE)) {
      await this.#dependencies.clock.turn();
      for (const viewed of some) {
        const { queue } = viewed;
        if (asked.isAbout(queue)) {
          facts.set(queue, factsOf(viewed, standings.get(queue), ends, at));
        }
      }
    }
    return { at, of: (hook) => asked.of(hook).flatMap((queue) => facts.get(queue) ?? []) };
  }

  async #standings(queues: readonly ViewedQueue[]): Promise<ReadonlyMap<QueueName, QueueStanding>> {
    const found = new Map<QueueName, QueueStanding>();
    for (const some of piecesOf(queues, READ_AT_ONCE)) {
      await this.#dependencies.clock.turn();
      const standings = await this.#dependencies.standings.standings(some.map(standingQuery));
      for (const [index, standing] of standings.entries()) {
        const queue = some[index]?.queue;
        if (queue !== undefined) found.set(queue, standing);
      }
    }
    return found;
  }

  #ends(asked: AskedQueues, now: number): Promise<EndsByQueue> {
    const isWanted = (queue: QueueName): boolean => asked.isAsked(queue, 'queue.failing');
    return this.#dependencies.ends.read(isWanted, asked.windows, now);
  }
}

/** Which conditions hooks look for in which queues. */
class AskedQueues {
  /** By the ids of hooks: a hook may be read again meanwhile. */
  readonly #ofHooks = new Map<string, QueueName[]>();
  readonly #events = new Map<QueueName, ReadonlySet<ConditionEvent>>();
  readonly #about = new Set<QueueName>();
  readonly #windows = new Set<number>();

  constructor(queues: readonly ViewedQueue[], watching: (queue: QueueName) => readonly Hook[]) {
    const named = new Map<Hook, readonly ConditionEvent[]>();
    for (const { queue } of queues) {
      const events = new Set<ConditionEvent>();
      for (const hook of watching(queue)) {
        const ofHook = keptOrMade(named, hook, () => this.#note(hook));
        for (const event of ofHook) events.add(event);
        this.#ofHooks.get(hook.id)?.push(queue);
        this.#about.add(queue);
      }
      if (events.size > 0) this.#events.set(queue, events);
    }
  }

  /** The windows over which hooks count failures, in ms. */
  get windows(): readonly number[] {
    return [...this.#windows];
  }

  of({ id }: Hook): readonly QueueName[] {
    return this.#ofHooks.get(id) ?? [];
  }

  /** Whether any hook is about the queue. */
  isAbout(queue: QueueName): boolean {
    return this.#about.has(queue);
  }

  isAsked(queue: QueueName, event: ConditionEvent): boolean {
    return this.#events.get(queue)?.has(event) === true;
  }

  /** Only these need more than the summary state of the queue. */
  needsStanding({ queue, glance, worker }: ViewedQueue): boolean {
    if (worker !== undefined) {
      return worker.opts?.breaker !== undefined && this.isAsked(queue, 'worker.open');
    }
    const { waiting, prioritized } = glance.counts;
    return waiting + prioritized > 0 && this.isAsked(queue, 'queue.unserved');
  }

  #note(hook: Hook): readonly ConditionEvent[] {
    const events = conditionsNamed(hook);
    this.#ofHooks.set(hook.id, []);
    const window = hook.when?.failureRate?.window;
    if (window !== undefined && events.includes('queue.failing')) this.#windows.add(window);
    return events;
  }
}

function factsOf(
  { queue, glance: { counts, waitingSince }, worker, takesDeadLetters = false }: ViewedQueue,
  standing: QueueStanding | undefined,
  ends: EndsByQueue,
  now: number,
): QueueFacts {
  const waiting = counts.waiting + counts.prioritized;
  const isDisabled = worker !== undefined && isDisabledByItself(worker);
  return {
    queue,
    waiting,
    oldestWaiting: waiting === 0 ? null : waitingAge(waitingSince, now),
    ends: (window) => ends(queue, window),
    isUnserved: worker === undefined && waiting > 0 && !takesDeadLetters,
    servedAt: standing && servedAt(standing),
    openSince: standing?.breaker?.since,
    disabledSince: isDisabled ? worker.disabled?.since : undefined,
  };
}

/** When a client last claimed a job or one started, as far as it is known. */
function servedAt({
  claimedAt = -Infinity,
  latestStart = -Infinity,
}: QueueStanding): number | undefined {
  const latest = Math.max(claimedAt, latestStart);
  return latest === -Infinity ? undefined : latest;
}
