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
  /** Tells a wait for jobs that nobody is left to wait, or that there may be some. */
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
    const over = new AbortController();
    const place: Place = { claim, result: undefined, serving: undefined, over };
    const end = (): void => {
      over.abort();
    };
    ending.addEventListener('abort', end);
    if (ending.aborted) end();
    this.#places.add(place);
    if (!this.#isServed) void this.#serve();
    await this.#clock.sleep(claim.wait, over.signal);
    ending.removeEventListener('abort', end);
    // What the store is giving it now would be nobody's.
    await place.serving;
    this.#places.delete(place);
    if (this.#places.size === 0) this.#reconsider.notify();
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
      if (this.#places.size === 0 && !reconsider.aborted) await this.#passOn();
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
      // Whoever has his answer is about to leave.
      if (place.over.signal.aborted) continue;
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
      noMore ??= answer(place, result);
    }
    return noMore;
  }

  /** A wake-up that came when the last client was leaving is for others that wait, on other replicas. */
  async #passOn(): Promise<void> {
    const [result] = await this.#taking.takeFor(this.#queue, [{ count: 1, lock: 1000 }]);
    if (result?.status !== 'fulfilled') return;
    await this.#taking.giveBack(this.#queue, result.value.attempts);
  }
}

/** @returns why there is no more, unless the client got something. */
function answer(place: Place, result: PromiseSettledResult<Taken>): NoJob | undefined {
  if (result.status === 'fulfilled' && result.value.attempts.length === 0) {
    return result.value.noMore;
  }
  place.result = result;
  place.over.abort();
  return undefined;
}
