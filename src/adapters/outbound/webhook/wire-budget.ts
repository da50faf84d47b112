import { TOO_MANY_BYTES, TOO_MANY_INTERIM_ANSWERS } from './call-failures.ts';

/** Most interim answers (status below 200) that go before an answer. */
const MOST_INTERIM_ANSWERS = 20;

/** Room for as many heads and the trailers, each as large as a head may be, in bytes. */
const ROOM_FOR_HEADS = 512 * 1024;

/** Bytes that carry one byte of a body at the worst: a chunk of its own takes six. */
const BYTES_PER_BYTE = 8;

/**
 * What an endpoint may send for one call. Interim answers and extensions of chunks are no part of the
 * answer, so that its size does not bound them, and reading them keeps a processor busy.
 */
export class WireBudget {
  readonly #mostBytes: number;
  #bytes = 0;
  #interimAnswers = 0;

  /** @param maxResponseSize in bytes. */
  constructor(maxResponseSize: number) {
    this.#mostBytes = ROOM_FOR_HEADS + BYTES_PER_BYTE * maxResponseSize;
  }

  /** Whether anything came in. */
  get isUsed(): boolean {
    return this.#bytes > 0;
  }

  /** Counts an interim answer. Returns the code of the fault when that is one too many. */
  interimAnswer(): string | undefined {
    this.#interimAnswers += 1;
    return this.#interimAnswers > MOST_INTERIM_ANSWERS ? TOO_MANY_INTERIM_ANSWERS : undefined;
  }

  /** Counts bytes that came in. Returns the code of the fault when those are too many. */
  received(bytes: number): string | undefined {
    this.#bytes += bytes;
    return this.#bytes > this.#mostBytes ? TOO_MANY_BYTES : undefined;
  }
}
