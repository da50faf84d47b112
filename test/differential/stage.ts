import type { AttemptKey } from '../../src/domain/attempts/attempt.ts';
import type { AttemptEnding } from '../../src/domain/attempts/ending.ts';
import type { JobAddress } from '../../src/domain/flows/flow.ts';
import type { JobOptionsInput } from '../../src/domain/jobs/job-options.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import type { QueueHarness, QueueReplica } from '../contracts/queue-harness.ts';
import { queueNamed } from '../support/queue-named.ts';

/** The queues of all plays. */
export const QUEUES: readonly QueueName[] = [queueNamed('first'), queueNamed('second')];

/** An attempt that a claim started; it may have ended since. */
export interface Held extends AttemptKey {
  readonly queue: QueueName;
}

const TOKEN_LENGTH = 32;

/** One store during a play: its ports, and what has come up so far for later steps to refer to. */
export class Stage {
  readonly harness: QueueHarness;
  readonly #replicas: readonly QueueReplica[];
  readonly #jobs: JobAddress[] = [];
  readonly #attempts: Held[] = [];
  /** The endings that were reported, by the tokens of their attempts. */
  readonly reports = new Map<string, AttemptEnding>();
  /** The jobs of the bodies that an idempotency key was sent with. */
  readonly bodies = new Map<string, readonly JobOptionsInput[]>();
  #drawn = 0;

  private constructor(harness: QueueHarness, other: QueueReplica) {
    this.harness = harness;
    this.#replicas = [harness, other];
  }

  static async open(harness: QueueHarness): Promise<Stage> {
    return new Stage(harness, await harness.replica());
  }

  /** The ports of one of its replicas. */
  replica(number: number): QueueReplica {
    return this.#replicas[number] ?? this.harness;
  }

  queue(number: number): QueueName {
    return QUEUES[number] as QueueName;
  }

  /** All jobs that have come up, in that order. */
  get jobs(): readonly JobAddress[] {
    return this.#jobs;
  }

  /** Lets later steps refer to the job. */
  know({ queue, id }: JobAddress): void {
    const isKnown = this.#jobs.some((job) => job.queue === queue && job.id === id);
    if (!isKnown) this.#jobs.push({ queue, id });
  }

  noteAttempt(attempt: Held): void {
    this.#attempts.push(attempt);
  }

  /** One of the jobs that have come up; undefined before the first. */
  job(number: number): JobAddress | undefined {
    return fromLatest(this.#jobs, number);
  }

  attempt(number: number): Held | undefined {
    return fromLatest(this.#attempts, number);
  }

  /** A text that no earlier step of the play got, and the same one on every stage. */
  draw(kind: string): string {
    this.#drawn += 1;
    return `${kind}-${this.#drawn}`;
  }

  drawToken(): string {
    return this.draw('token').padEnd(TOKEN_LENGTH, 'x');
  }
}

/** 0 is the latest. Every number stands for an item, so that a script stays one when steps are left out. */
function fromLatest<Item>(items: readonly Item[], number: number): Item | undefined {
  return items.at(-1 - (number % Math.max(1, items.length)));
}
