import { TOO_MANY_BYTES, TOO_MANY_INTERIM_ANSWERS } from './call-failures.ts';

/** The most interim answers (status below 200) that may precede an answer. */
const MOST_INTERIM_ANSWERS = 20;

/** Room for that many heads and the trailers, each of the largest size, in bytes. */
const ROOM_FOR_HEADS = 512 * 1024;

/** The most bytes that carry one byte of a body: as a chunk of its own, it takes six. */
const BYTES_PER_BYTE = 8;

/**
 * How much an endpoint may send for one call. Interim answers and extensions of chunks are not part of the answer, so
 * its size does not bound them, and reading them keeps a processor busy.
 */
export class WireBudget {
  readonly #mostBytes: number;
  #bytes = 0;
  #interimAnswers = 0;

  /** @param maxResponseSize in bytes. */
  constructor(maxResponseSize: number) {
    this.#mostBytes = ROOM_FOR_HEADS + BYTES_PER_BYTE * maxResponseSize;
  }

  /** Whether any bytes came in. */
  get isUsed(): boolean {
    return this.#bytes > 0;
  }

  /** Counts an interim answer. Returns the code of the fault if it is one too many. */
  interimAnswer(): string | undefined {
    this.#interimAnswers += 1;
    return this.#interimAnswers > MOST_INTERIM_ANSWERS ? TOO_MANY_INTERIM_ANSWERS : undefined;
  }

  /** Counts bytes that came in. Returns the code of the fault if there are too many. */
  received(bytes: number): string | undefined {
    this.#bytes += bytes;
    return this.#bytes > this.#mostBytes ? TOO_MANY_BYTES : undefined;
  }
}
