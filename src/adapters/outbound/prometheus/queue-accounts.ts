import type { ClockPort } from '../../../application/ports/clock-port.ts';
import { QueueAccount } from './queue-account.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';

/** Most queues with an account of their own between two scrapes, beside those that have a label already. */
const CANDIDATES = 1000;

/** In which time the activity of a queue counts for half, in milliseconds. */
const HALF_LIFE = 600_000;

/** The label of all queues that have no name, and of one that is called so. */
const OTHERS = 'other';

/**
 * The accounts of the most active queues, each under its name, and one of all others together. Which queues
 * have a name is decided when the accounts are looked at, and until then each queue has an account of its
 * own: what was counted under one label never moves to another, so that no counter jumps.
 */
export class QueueAccounts {
  readonly #limit: number;
  readonly #clock: ClockPort;
  readonly #accounts = new Map<QueueName, QueueAccount>();
  readonly #named = new Set<QueueAccount>();
  readonly #others = new QueueAccount();
  #rankedAt: number;

  /** @param limit how many queues have a name at most (METRICS_QUEUES). */
  constructor(limit: number, clock: ClockPort) {
    this.#limit = limit;
    this.#clock = clock;
    this.#rankedAt = clock.now();
  }

  /** The account to count in. It is for this moment: later it may be another one. */
  of(queue: QueueName): QueueAccount {
    if (queue === OTHERS) return this.#others;
    const known = this.#accounts.get(queue);
    if (known !== undefined) return known;
    if (this.#accounts.size >= this.#limit + CANDIDATES) return this.#others;
    const account = new QueueAccount();
    this.#accounts.set(queue, account);
    return account;
  }

  /**
   * Gives the names to the queues that are the most active now. One that loses its name ends there; one that
   * gets none is one of the others.
   */
  rank(): void {
    const now = this.#clock.now();
    const fading = 0.5 ** (Math.max(0, now - this.#rankedAt) / HALF_LIFE);
    this.#rankedAt = now;
    // Among equals, the one that was there first comes first.
    const ranked = [...this.#accounts].sort(([, one], [, other]) => other.activity - one.activity);
    ranked.forEach(([queue, account], rank) => {
      if (rank < this.#limit) {
        this.#named.add(account);
        account.activity *= fading;
        return;
      }
      this.#accounts.delete(queue);
      if (!this.#named.delete(account)) this.#others.absorb(account);
    });
  }

  /** The queues that have a name. */
  get names(): readonly QueueName[] {
    return this.#entries().map(([queue]) => queue);
  }

  /** The accounts under their labels, as soon as they have counted something. */
  labelled(): readonly (readonly [label: string, account: QueueAccount])[] {
    const entries = this.#entries();
    return this.#others.activity > 0 ? [...entries, [OTHERS, this.#others]] : entries;
  }

  #entries(): readonly (readonly [queue: QueueName, account: QueueAccount])[] {
    return [...this.#accounts].filter(([, account]) => this.#named.has(account));
  }
}
