import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { callInsistently } from '../insistent-call.ts';
import { notNow, OtherAnswer, type LedgerCall } from '../ledger-endpoint.ts';
import type { Ledger } from '../ledger.ts';
import { Play } from '../play.ts';
import type { Replicas } from '../replicas.ts';
import { Traffic } from '../traffic.ts';
import type { LoadPart } from './load-part.ts';

const CONCURRENCY = 8;

/** Calls last this long, in milliseconds. */
const CALL = 40;

/** How long after a replica went on that stood still it may make calls that are others' by then, in milliseconds. */
const LATE_CALLS = 1500;

/** What is to happen to a job, by the rest of its number. */
const FATES = new Map([
  [3, 'fails once'],
  [7, 'fails for good'],
  [11, 'is removed'],
  [13, 'comes later'],
  [17, 'goes first'],
  [50, 'holds the queue'],
]);

const CYCLE = 100;

const fateOf = (number: number): string | undefined =>
  FATES.get(number % CYCLE) ?? FATES.get(number % 20);

const optionsOf = (number: number): object => ({
  jobId: `job-${number}`,
  attempts: 5,
  backoff: 50,
  ...(fateOf(number) === 'is removed' && { removeOnComplete: true }),
  ...(fateOf(number) === 'comes later' && { delay: 700 }),
  ...(fateOf(number) === 'goes first' && { priority: 1 }),
});

/** Jobs that an endpoint is called for: some fail, some hold the queue, some are retried by hand. */
export class CalledJobs implements LoadPart {
  /** At most so many calls start in that many milliseconds. */
  static readonly limiter = { max: 20, duration: 250 };
  readonly #play: Play;
  readonly #replicas: Replicas;
  readonly #traffic: Traffic;
  /** The jobs that were turned away once. */
  readonly #turnedAway = new Set<number>();
  readonly #retries: Promise<void>[] = [];
  #resumedAt = -Infinity;
  #beyondLimit = 0;

  private constructor(play: Play, replicas: Replicas) {
    this.#play = play;
    this.#replicas = replicas;
    play.endpoint.work = (call) => this.#work(call);
    play.endpoint.onCall(({ at }) => {
      const isLate = at - this.#resumedAt < LATE_CALLS;
      if (play.endpoint.running > CONCURRENCY && !isLate) this.#beyondLimit += 1;
    });
    this.#traffic = new Traffic(play.client, replicas, 40);
  }

  static async start(ledger: Ledger, replicas: Replicas): Promise<CalledJobs> {
    const play = await Play.begin(() => Promise.resolve(), ledger, optionsOf);
    await play.client.register(replicas.next, play.endpoint.origin, {
      concurrency: CONCURRENCY,
      maxStalledCount: 1000,
      limiter: CalledJobs.limiter,
    });
    return new CalledJobs(play, replicas);
  }

  get jobs(): LoadPart['jobs'] {
    return new Map([[this.#play.queue, this.#play.client.numbers]]);
  }

  get queue(): string {
    return this.#play.queue;
  }

  /** How many answers held the queue. */
  get holds(): number {
    return [...this.#turnedAway].filter((number) => fateOf(number) === 'holds the queue').length;
  }

  /** How many jobs were retried by hand. */
  get retried(): number {
    return this.#retries.length;
  }

  /** Says that a replica goes on that stood still. */
  resumed(): void {
    this.#resumedAt = performance.now();
  }

  async settle(): Promise<void> {
    const { client, ledger, queue } = this.#play;
    await this.#traffic.end();
    await Promise.all(this.#retries);
    await client.settle(this.#replicas.next);
    for (const number of client.numbers) {
      if (fateOf(number) === 'is removed' && ledger.calls(number) > 0)
        await this.#isRemoved(number);
    }
    const { body } = await this.#replicas.next.call('GET', `/queues/${queue}`);
    const { heldUntil } = body as { readonly heldUntil: number | null };
    expect(heldUntil ?? 0, 'held until').to.be.below(Date.now());
    expect(this.#beyondLimit, 'calls beyond the concurrency').to.equal(0);
  }

  close(): Promise<void> {
    return this.#traffic.end().then(() => this.#play.end());
  }

  async #work({ number, id }: LedgerCall): Promise<unknown> {
    await sleep(CALL);
    if (this.#turnedAway.has(number)) return undefined;
    const answer = this.#firstAnswer(number, id);
    if (answer === undefined) return undefined;
    this.#turnedAway.add(number);
    this.#play.ledger.turnedAway(number);
    return answer;
  }

  #firstAnswer(number: number, id: string): OtherAnswer | undefined {
    switch (fateOf(number)) {
      case 'fails once':
        return new OtherAnswer(500);
      case 'fails for good':
        this.#retries.push(this.#retry(id));
        return new OtherAnswer(422, { 'Jobgate-No-Retry': 'true' });
      case 'holds the queue':
        return notNow(1);
      default:
        return undefined;
    }
  }

  /** Lets a job start over once it has failed, unless it stalled instead and went well by itself. */
  async #retry(id: string): Promise<void> {
    const path = `/queues/${this.#play.queue}/jobs/${id}`;
    for (;;) {
      const { status } = await callInsistently(this.#replicas, 'POST', `${path}/retry`);
      if (status === 200) return;
      const { text } = await callInsistently(this.#replicas, 'GET', `${path}/result`);
      if ((JSON.parse(text) as { readonly state: string }).state === 'completed') return;
      await sleep(50);
    }
  }

  async #isRemoved(number: number): Promise<void> {
    const path = `/queues/${this.#play.queue}/jobs/job-${number}`;
    const { status } = await this.#replicas.next.call('GET', path);
    if (status === 404) this.#play.ledger.completed(number);
  }
}
