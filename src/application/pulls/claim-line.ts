import type { JobClaim } from '../../domain/attempts/job-claim.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { Notifier } from '../running/notifier.ts';
import type { Attempt } from '../../domain/attempts/attempt.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import { attemptsOf, type ClaimTerms, type JobTaking, type Taken } from './job-taking.ts';
import { waitAfter, type JobWait, type NoJob } from '../running/wait-after.ts';
import type { CommonPorts } from '../ports/common-ports.ts';

/** How many jobs are requested at once for all waiting clients. */
const MOST_AT_ONCE = 100;

/**
 * Longest pause (ms) without a request while no wake-up arrives. Wake-ups get lost when replicas die, and the limits of
 * a worker may have changed.
 */
const LONGEST_PAUSE = 5000;

/** A client that waits in the line. */
interface WaitingClient {
  readonly claim: JobClaim;
  /** The jobs of the client, or the error of its claim; undefined while it waits. */
  result: PromiseSettledResult<Taken> | undefined;
  /** Set while the store is being asked for jobs for the client. */
  serving: Promise<unknown> | undefined;
  /** Ends the wait of the client. */
  readonly over: AbortController;
}

interface LineDependencies extends Pick<CommonPorts, 'attempts' | 'clock'> {
  readonly queue: QueueName;
  readonly taking: JobTaking;
  /** Called when the last client has left. */
  readonly ended: () => void;
}

/**
 * The clients on this replica that wait for jobs of one queue, served in order of arrival. They all share a single wait
 * for jobs.
 */
export class ClaimLine {
  readonly #queue: QueueName;
  readonly #taking: JobTaking;
  readonly #clock: ClockPort;
  readonly #wait: JobWait;
  readonly #ended: () => void;
  readonly #clients = new Set<WaitingClient>();
  /** Ends the wait for jobs when the last client has left, or when there may be jobs. */
  readonly #reconsider = new Notifier();
  #isServed = false;

  constructor({ queue, taking, attempts, clock, ended }: LineDependencies) {
    this.#queue = queue;
    this.#taking = taking;
    this.#clock = clock;
    this.#wait = { attempts, clock, queue, longest: LONGEST_PAUSE };
    this.#ended = ended;
  }

  /**
   * Resolves when there are jobs for the client, its time is up or its wait is ended, whichever comes first.
   *
   * @throws DomainError `store-unavailable`.
   */
  async wait(claim: JobClaim, ending: AbortSignal): Promise<readonly Attempt[]> {
    if (ending.aborted) return [];
    const over = new AbortController();
    const client: WaitingClient = { claim, result: undefined, serving: undefined, over };
    const leave = (): void => {
      this.#leave(client);
    };
    ending.addEventListener('abort', leave);
    this.#clients.add(client);
    if (!this.#isServed) void this.#serve();
    await this.#clock.sleep(claim.wait, over.signal);
    ending.removeEventListener('abort', leave);
    leave();
    // Otherwise jobs that the store is currently giving to this client would have no holder.
    await client.serving;
    return client.result === undefined ? [] : attemptsOf(client.result);
  }

  /** Asks the store for jobs now, even if the store has just reported that it has none. */
  askAgain(): void {
    this.#reconsider.notify();
  }

  async #serve(): Promise<void> {
    this.#isServed = true;
    while (this.#clients.size > 0) {
      const reconsider = this.#reconsider.signal;
      const noMore = await this.#serveFirst();
      if (noMore === undefined || this.#clients.size === 0) continue;
      await waitAfter(noMore, this.#wait, reconsider);
    }
    this.#isServed = false;
    this.#ended();
  }

  /** @returns why a client got no job; undefined when there may be more jobs. */
  async #serveFirst(): Promise<NoJob | undefined> {
    const served: (ClaimTerms & { readonly client: WaitingClient })[] = [];
    let left = MOST_AT_ONCE;
    for (const client of this.#clients) {
      const { count, lock, isReceived = false } = client.claim;
      served.push({ client, count: Math.min(count, left), lock, isReceived });
      left -= count;
      if (left <= 0) break;
    }
    const serving = this.#taking.takeFor(this.#queue, served);
    for (const { client } of served) client.serving = serving;
    let noMore: NoJob | undefined;
    for (const [index, result] of (await serving).entries()) {
      const { client } = served[index] as { readonly client: WaitingClient };
      client.serving = undefined;
      // Each of them is answered, also after one for which there was no job.
      const lack = this.#answer(client, result);
      noMore ??= lack;
    }
    return noMore;
  }

  /** @returns why there is no job, unless the client got jobs or an error. */
  #answer(client: WaitingClient, result: PromiseSettledResult<Taken>): NoJob | undefined {
    if (result.status === 'fulfilled' && result.value.attempts.length === 0) {
      return result.value.noMore;
    }
    client.result = result;
    this.#leave(client);
    return undefined;
  }

  /** Ends the wait of a client. No further jobs are requested for it. */
  #leave(client: WaitingClient): void {
    client.over.abort();
    this.#clients.delete(client);
    if (this.#clients.size === 0) this.#reconsider.notify();
  }
}
