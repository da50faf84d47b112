import type { ClockPort } from '../../../application/ports/clock-port.ts';
import { QueueAccount } from './queue-account.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';

/** The most queues with an account of their own between two scrapes, besides those that already have a label. */
const CANDIDATES = 1000;

/** The time after which the activity of a queue counts half, in milliseconds. */
const HALF_LIFE = 600_000;

/** The label of all queues without a name, and of a queue with this very name. */
const OTHERS = 'other';

/**
 * The accounts of the most active queues, each under its name, and one of all others together. Which queues have a name
 * is decided when the accounts are read, and until then each queue has an account of its own: what was counted under
 * one label never moves to another, so that no counter jumps.
 */
export class QueueAccounts {
  readonly #limit: number;
  readonly #clock: ClockPort;
  readonly #accounts = new Map<QueueName, QueueAccount>();
  readonly #named = new Set<QueueAccount>();
  readonly #others = new QueueAccount();
  #rankedAt: number;

  /** @param limit the most queues that have a name (METRICS_QUEUES). */
  constructor(limit: number, clock: ClockPort) {
    this.#limit = limit;
    this.#clock = clock;
    this.#rankedAt = clock.now();
  }

  /** The account to count in now. Do not keep it: it may be another one later. */
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
   * Gives names to the queues that are most active now. The series of a queue that loses its name ends; a queue without
   * a name counts among the others.
   */
  rank(): void {
    const now = this.#clock.now();
    const fading = 0.5 ** (Math.max(0, now - this.#rankedAt) / HALF_LIFE);
    this.#rankedAt = now;
    // Among equals, the older one comes first.
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

  /** The accounts that have counted something, under their labels. */
  labelled(): readonly (readonly [label: string, account: QueueAccount])[] {
    const entries = this.#entries();
    return this.#others.activity > 0 ? [...entries, [OTHERS, this.#others]] : entries;
  }

  #entries(): readonly (readonly [queue: QueueName, account: QueueAccount])[] {
    return [...this.#accounts].filter(([, account]) => this.#named.has(account));
  }
}
