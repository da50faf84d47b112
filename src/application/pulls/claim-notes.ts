import { CLAIMED_FOR } from '../../domain/workers/blocked.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { QueueStandingPort } from '../ports/queue-standing-port.ts';

/** How far apart the notes of a queue are, in milliseconds: a missed one must not make the queue look forsaken. */
const INTERVAL = CLAIMED_FOR / 4;

/** Most queues whose notes are remembered; others are noted at every claim. */
const MOST_QUEUES = 10_000;

/** Notes which queues clients claim jobs of, now and then instead of at every claim. */
export class ClaimNotes {
  readonly #standings: QueueStandingPort;
  readonly #clock: ClockPort;
  /** When (epoch ms) the claims of each queue were last noted, oldest first. */
  readonly #noted = new Map<QueueName, number>();

  constructor(standings: QueueStandingPort, clock: ClockPort) {
    this.#standings = standings;
    this.#clock = clock;
  }

  /** A client asks for jobs of the queue. */
  note(queue: QueueName): void {
    const now = this.#clock.now();
    const last = this.#noted.get(queue);
    if (last !== undefined && now - last < INTERVAL) return;
    this.#noted.delete(queue);
    this.#noted.set(queue, now);
    const [oldest] = this.#noted.keys();
    if (this.#noted.size > MOST_QUEUES && oldest !== undefined) this.#noted.delete(oldest);
    this.#standings.noteClaim(queue).then(
      (isNoted) => {
        if (!isNoted) this.#noted.delete(queue);
      },
      // The claim itself reports that the store is away; the next one notes again.
      () => this.#noted.delete(queue),
    );
  }
}
