import type { JobClaim } from '../../domain/job-claim.ts';
import type { QueueName } from '../../domain/queue-name.ts';
import { Notifier } from '../delivery/notifier.ts';
import type { Attempt, AttemptPort } from '../ports/attempt-port.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import { attemptsOf, type JobTaking, type Taken } from './job-taking.ts';
import { waitAfter, type NoJob } from './no-job.ts';

/** Most jobs that are asked for at once for all who wait. */
const MOST_AT_ONCE = 100;

/**
 * How long nobody asks for a job while nothing tells of one, in milliseconds. Wake-ups get lost with replicas
 * that die, and the limits of a worker may have changed.
 */
const LONGEST_PAUSE = 5000;

/** The place of a client in the line. */
interface Place {
  readonly claim: JobClaim;
  /** What it got, or why it got nothing. */
  result: PromiseSettledResult<Taken> | undefined;
  /** While the store is asked for it. */
  serving: Promise<unknown> | undefined;
  /** Ends its wait. */
  readonly over: AbortController;
}

/**
 * The clients that wait for jobs of one queue on this replica: who came first is served first. They share one wait
 * for jobs, however many they are.
 */
export class ClaimLine {
  readonly #queue: QueueName;
  readonly #taking: JobTaking;
  readonly #attempts: AttemptPort;
  readonly #clock: ClockPort;
  readonly #ended: () => void;
  readonly #places = new Set<Place>();
  /** Ends a wait for jobs when the last client has left, or when there may be jobs. */
  readonly #reconsider = new Notifier();
  #isServed = false;

  /** @param ended is called when nobody waits any more. */
  constructor(
    queue: QueueName,
    taking: JobTaking,
    attempts: AttemptPort,
    clock: ClockPort,
    ended: () => void,
  ) {
    this.#queue = queue;
    this.#taking = taking;
    this.#attempts = attempts;
    this.#clock = clock;
    this.#ended = ended;
  }

  /**
   * Resolves when there are jobs for the client, when its time is up or when its wait is ended, whichever comes first.
   *
   * @throws DomainError `store-unavailable`.
   */
  async wait(claim: JobClaim, ending: AbortSignal): Promise<readonly Attempt[]> {
    if (ending.aborted) return [];
    const over = new AbortController();
    const place: Place = { claim, result: undefined, serving: undefined, over };
    const leave = (): void => {
      this.#leave(place);
    };
    ending.addEventListener('abort', leave);
    this.#places.add(place);
    if (!this.#isServed) void this.#serve();
    await this.#clock.sleep(claim.wait, over.signal);
    ending.removeEventListener('abort', leave);
    leave();
    // The jobs that the store is giving to this client would otherwise belong to no one.
    await place.serving;
    return place.result === undefined ? [] : attemptsOf(place.result);
  }

  /** Asks for jobs now, whatever the store answered before. */
  askAgain(): void {
    this.#reconsider.notify();
  }

  async #serve(): Promise<void> {
    this.#isServed = true;
    const ports = { attempts: this.#attempts, clock: this.#clock };
    while (this.#places.size > 0) {
      const reconsider = this.#reconsider.signal;
      const noMore = await this.#serveFirst();
      if (noMore === undefined || this.#places.size === 0) continue;
      await waitAfter(noMore, this.#queue, ports, LONGEST_PAUSE, reconsider);
    }
    this.#isServed = false;
    this.#ended();
  }

  /** @returns why somebody got nothing; undefined when there may be more jobs. */
  async #serveFirst(): Promise<NoJob | undefined> {
    const served: { readonly place: Place; readonly count: number; readonly lock: number }[] = [];
    let left = MOST_AT_ONCE;
    for (const place of this.#places) {
      const { count, lock } = place.claim;
      served.push({ place, count: Math.min(count, left), lock });
      left -= count;
      if (left <= 0) break;
    }
    const serving = this.#taking.takeFor(this.#queue, served);
    for (const { place } of served) place.serving = serving;
    let noMore: NoJob | undefined;
    for (const [index, result] of (await serving).entries()) {
      const { place } = served[index] as { readonly place: Place };
      place.serving = undefined;
      noMore ??= this.#answer(place, result);
    }
    return noMore;
  }

  /** @returns why there is no more, unless the client got something. */
  #answer(place: Place, result: PromiseSettledResult<Taken>): NoJob | undefined {
    if (result.status === 'fulfilled' && result.value.attempts.length === 0) {
      return result.value.noMore;
    }
    place.result = result;
    this.#leave(place);
    return undefined;
  }

  /** Ends the wait of a client. From now on the store is not asked for it. */
  #leave(place: Place): void {
    place.over.abort();
    this.#places.delete(place);
    if (this.#places.size === 0) this.#reconsider.notify();
  }
}
