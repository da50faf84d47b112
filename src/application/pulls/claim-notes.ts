import { CLAIMED_FOR } from '../../domain/workers/blocked.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { LatestEntries } from '../../domain/values/latest-entries.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { QueueStandingPort } from '../ports/queue-standing-port.ts';

/**
 * Minimum time (ms) between two notes of a queue, short enough that a single missed note does not make it look
 * unserved.
 */
const INTERVAL = CLAIMED_FOR / 4;

/** How many queues have their notes remembered; for others, every claim is noted. */
const MOST_QUEUES = 10_000;

/** Records which queues clients claim jobs from, periodically rather than on every claim. */
export class ClaimNotes {
  readonly #standings: QueueStandingPort;
  readonly #clock: ClockPort;
  /** When (epoch ms) the claims of each queue were last noted, oldest first. */
  readonly #noted = new LatestEntries<QueueName, number>(MOST_QUEUES);

  constructor(standings: QueueStandingPort, clock: ClockPort) {
    this.#standings = standings;
    this.#clock = clock;
  }

  /** A client asks for jobs of the queue. */
  note(queue: QueueName): void {
    const now = this.#clock.now();
    const last = this.#noted.get(queue);
    if (last !== undefined && now - last < INTERVAL) return;
    this.#noted.set(queue, now);
    this.#standings.noteClaim(queue).then(
      (isNoted) => {
        if (!isNoted) this.#noted.delete(queue);
      },
      // The claim itself reports the outage of the store; the next claim is noted again.
      () => this.#noted.delete(queue),
    );
  }
}
