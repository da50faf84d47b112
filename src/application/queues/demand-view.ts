import type { Demand } from '../../domain/queues/demand.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { DemandsOfQueues } from '../ports/demands-of-queues.ts';
import { Notifier } from '../running/notifier.ts';
import type { RepeatedWork } from '../running/rounds.ts';
import type { QueueNames } from './queue-names.ts';

/** How long (ms) a view is shared at least. */
const SHOWN_FOR = 1000;

/** From how many ms on a reading is too slow to be made while somebody waits for it. */
const SLOW = 25;

/** How long (ms) after a request views are renewed ahead of the next one, where readings are slow. */
const KEPT_FOR = 60_000;

/** A view is renewed after so many times the time that its reading takes, up to so many ms. */
const [PART_OF_TIME, LONGEST_PACE] = [10, 10_000];

/** The demand of a queue as of the time when it was read. */
export interface ViewedDemand {
  readonly queue: QueueName;
  readonly demand: Demand;
}

interface View {
  /** Epoch ms. */
  readonly at: number;
  readonly demands: Promise<readonly ViewedDemand[]>;
}

/**
 * The demand of all queues, shared by those who ask within a second. Where there are so many queues that reading them
 * takes a while, the view is renewed once a second, for a minute after each request: what scales workers asks again, and
 * does not wait then. Reading takes at most a tenth of the time, so that a view of very many queues gets older.
 */
export class DemandView implements RepeatedWork {
  readonly name = 'demand view';
  readonly failure = { line: 'The demand of queues could not be read', pause: SHOWN_FOR };
  readonly sooner = new Notifier();
  readonly #names: Pick<QueueNames, 'list'>;
  readonly #demands: DemandsOfQueues;
  readonly #clock: ClockPort;
  #view: View | undefined;
  #askedAt = -Infinity;
  /** How long (ms) the latest reading took. */
  #took = 0;

  constructor(names: Pick<QueueNames, 'list'>, demands: DemandsOfQueues, clock: ClockPort) {
    this.#names = names;
    this.#demands = demands;
    this.#clock = clock;
  }

  /** @throws DomainError `store-unavailable`. */
  async queues(): Promise<readonly ViewedDemand[]> {
    this.#askedAt = this.#clock.now();
    const view = this.#isFresh(this.#view) ? this.#view : this.#renewed();
    const demands = await view.demands;
    if (this.#isSlow) this.sooner.notify();
    return demands;
  }

  /** Renews the view ahead of requests, while there are any. */
  async round(): Promise<number> {
    const now = this.#clock.now();
    if (!this.#isSlow || Math.abs(now - this.#askedAt) >= KEPT_FOR) return KEPT_FOR;
    const age = Math.abs(now - (this.#view?.at ?? -Infinity));
    if (age < this.#pace) return this.#pace - age;
    await this.#renewed().demands;
    return this.#pace;
  }

  get #isSlow(): boolean {
    return this.#took >= SLOW;
  }

  get #pace(): number {
    return Math.min(LONGEST_PACE, Math.max(SHOWN_FOR, PART_OF_TIME * this.#took));
  }

  /** A view that is being renewed ahead may be a little older. */
  #isFresh(view: View | undefined): view is View {
    const shownFor = this.#isSlow ? 2 * this.#pace : SHOWN_FOR;
    return view !== undefined && Math.abs(this.#clock.now() - view.at) < shownFor;
  }

  #renewed(): View {
    const at = this.#clock.now();
    const view = { at, demands: this.#read(at) };
    this.#view = view;
    view.demands.catch(() => {
      if (this.#view === view) this.#view = undefined;
    });
    return view;
  }

  async #read(at: number): Promise<readonly ViewedDemand[]> {
    const names = await this.#names.list();
    const demands = await this.#demands.of(names);
    this.#took = Math.max(0, this.#clock.now() - at);
    return names.flatMap((queue, index) => {
      const demand = demands[index];
      return demand === undefined ? [] : [{ queue, demand }];
    });
  }
}
