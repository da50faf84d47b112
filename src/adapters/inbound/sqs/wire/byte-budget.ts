import { CountedBytes } from '../../../shared/counted-bytes.ts';
import { SqsError } from './sqs-error.ts';

/** A body or an answer of at most this many bytes is not counted; the number of connections bounds those. */
export const UNCOUNTED_SIZE = 16_384;

/** How many bytes are kept at once, for all clients together and for one of them. */
const [CAPACITY, MOST_OF_ONE] = [134_217_728, 100_663_296];

/**
 * The bytes of bodies and answers that are being transferred or handled, so that clients that send slowly or never read
 * cannot fill up the memory of the process.
 */
export class ByteBudget {
  readonly #counted = new CountedBytes(CAPACITY, MOST_OF_ONE);

  /** @throws SqsError `ServiceUnavailable` when the budget, or the share of the client, is spent. */
  check(client: string): void {
    if (!this.#counted.isSpent(client)) return;
    throw new SqsError(
      'ServiceUnavailable',
      'Too many large requests at once, try again later.',
      1000,
    );
  }

  /** Counts bytes, also beyond the budget: of what is there already. */
  charge(client: string, bytes: number): void {
    this.#counted.count(client, bytes);
  }

  refund(client: string, bytes: number): void {
    this.charge(client, -bytes);
  }
}
