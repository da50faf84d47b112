import type { Demand } from '../../domain/queues/demand.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { DemandsOfQueues } from './queue-demands.ts';
import { Notifier } from '../running/notifier.ts';
import type { RepeatedWork } from '../running/rounds.ts';
import { Shared } from '../running/shared.ts';
import type { QueueNames } from './queue-names.ts';

/** The shortest pause (ms) between two readings ahead of requests. */
const LEAST_PACE = 1000;

/** How long (ms) a view is shared at least. */
const SHOWN_FOR = 10;

/** From how many ms on a reading is too slow to be made while somebody waits for it. */
const SLOW = 25;

/** How long (ms) after a request views are renewed ahead of the next one, where readings are slow. */
const KEPT_FOR = 60_000;

/** A view is renewed after so many times the time that its reading takes; ahead of requests, after so many ms at most. */
const [PART_OF_TIME, LONGEST_PACE] = [10, 10_000];

/** The demand of a queue as of the time when it was read. */
export interface ViewedDemand {
  readonly queue: QueueName;
  readonly demand: Demand;
}

/**
 * The demand of all queues. Those who ask share one reading, for ten times as long as it takes, so that reading takes at
 * most a tenth of the time however many ask. Where there are so many queues that it takes a while, the view is renewed
 * ahead, for a minute after each request: what scales workers asks again, and does not wait then.
 */
export class DemandView implements RepeatedWork {
  readonly name = 'demand view';
  readonly failure = { line: 'The demand of queues could not be read', pause: LEAST_PACE };
  readonly sooner = new Notifier();
  readonly #names: Pick<QueueNames, 'list'>;
  readonly #demands: DemandsOfQueues;
  readonly #clock: ClockPort;
  readonly #view: Shared<readonly ViewedDemand[]>;
  #askedAt = -Infinity;
  /** How long (ms) the latest reading took. */
  #took = 0;
  /** How many are in progress. */
  #readings = 0;

  constructor(names: Pick<QueueNames, 'list'>, demands: DemandsOfQueues, clock: ClockPort) {
    this.#names = names;
    this.#demands = demands;
    this.#clock = clock;
    this.#view = new Shared(clock, { freshFor: () => this.#shownFor }, (at) => this.#timed(at));
  }

  /** @throws DomainError `store-unavailable`. */
  async queues(): Promise<readonly ViewedDemand[]> {
    this.#askedAt = this.#clock.now();
    const demands = await this.#view.of();
    if (this.#isSlow) this.sooner.notify();
    return demands;
  }

  /** Renews the view ahead of requests, while there are any. */
  async round(): Promise<number> {
    const now = this.#clock.now();
    if (!this.#isSlow || Math.abs(now - this.#askedAt) >= KEPT_FOR) return KEPT_FOR;
    const age = this.#view.ageOf();
    if (age < this.#pace) return this.#pace - age;
    await this.#view.renewed();
    return this.#pace;
  }

  get #isSlow(): boolean {
    return this.#took >= SLOW;
  }

  get #pace(): number {
    return Math.min(LONGEST_PACE, Math.max(LEAST_PACE, PART_OF_TIME * this.#took));
  }

  /** A view that is being read is shared; one that is being renewed ahead may be a little older. */
  get #shownFor(): number {
    if (this.#readings > 0) return Infinity;
    return this.#isSlow ? 2 * this.#pace : Math.max(SHOWN_FOR, PART_OF_TIME * this.#took);
  }

  async #timed(at: number): Promise<readonly ViewedDemand[]> {
    this.#readings += 1;
    try {
      const demands = await this.#read();
      this.#took = Math.max(0, this.#clock.now() - at);
      return demands;
    } finally {
      this.#readings -= 1;
    }
  }

  async #read(): Promise<readonly ViewedDemand[]> {
    const names = await this.#names.list();
    const demands = await this.#demands.of(names);
    return names.flatMap((queue, index) => {
      const demand = demands[index];
      return demand === undefined ? [] : [{ queue, demand }];
    });
  }
}
