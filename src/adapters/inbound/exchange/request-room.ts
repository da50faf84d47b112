import { memoryFull } from '../../../domain/errors.ts';
import type { Heap } from '../../shared/process-heap.ts';
import { MAX_VALUES } from '../../shared/json-limits.ts';
import type { ExchangeResponse } from './exchange.ts';
import { HttpError } from './http-error.ts';

/** The share of the heap that requests may fill, with all else that is in it. */
const MOST = 0.86;

/** How many bytes of the heap a byte of a body takes until its answer has gone: as text, as a value, and as it is kept. */
const COPIES = 3;

/** How many bytes a value takes at most, besides its text. */
const VALUE = 60;

/** How many bytes an added job takes at most besides its text, until the answer has gone that shows it. */
const JOB = 1000;

/** Bytes of a body, and jobs, that are not counted: the number of connections bounds those of small requests. */
const UNCOUNTED = { bytes: 2048, jobs: 10 };

const COMMA = 0x2c;

/**
 * Keeps bodies from being parsed, and jobs from being made, where they would not fit into the heap: many requests at once
 * could end the process, or a single one that finds a heap full of jobs.
 */
export class RequestRoom {
  readonly #heap: Heap;
  #promised = 0;

  constructor(heap: Heap) {
    this.#heap = heap;
  }

  /**
   * To be called before a body is parsed. It has its part of the heap until its answer has gone.
   *
   * @throws HttpError `overloaded` while other bodies hold the room, else DomainError `memory-full`.
   */
  takeBody(response: ExchangeResponse, bytes: Buffer): void {
    if (bytes.length <= UNCOUNTED.bytes) return;
    this.#take(response, COPIES * bytes.length + VALUE * valuesIn(bytes));
  }

  /** To be called before jobs are added: a short text may name many. @throws as `takeBody`. */
  takeJobs(response: ExchangeResponse, jobs: number): void {
    if (jobs > UNCOUNTED.jobs) this.#take(response, JOB * jobs);
  }

  #take(response: ExchangeResponse, needed: number): void {
    if (!this.#hasRoom(needed)) this.#heap.collect();
    if (!this.#hasRoom(needed)) throw this.#refusal();
    this.#promised += needed;
    response.once('close', () => (this.#promised -= needed));
  }

  #hasRoom(needed: number): boolean {
    return this.#heap.used() + this.#promised + needed <= MOST * this.#heap.limit;
  }

  #refusal(): Error {
    if (this.#promised > 0) {
      return new HttpError('overloaded', 'Too many large requests at once, try again later');
    }
    return memoryFull({ used: this.#heap.used(), limit: this.#heap.limit });
  }
}

/** Bytes without a comma that are checked one by one before a search finds the next comma. */
const NEARBY = 64;

/** Approximate number of values in a JSON text, up to MAX_VALUES. It skips long texts, since it blocks the event loop. */
function valuesIn(bytes: Buffer): number {
  let commas = 0;
  for (let index = 0, last = 0; index < bytes.length && commas < MAX_VALUES; index += 1) {
    if (index - last > NEARBY) index = bytes.indexOf(COMMA, index);
    if (index === -1) break;
    if (bytes[index] !== COMMA) continue;
    commas += 1;
    last = index;
  }
  return commas;
}
