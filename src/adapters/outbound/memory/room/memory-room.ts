import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import type { StoreMemory } from '../../../../application/ports/store-health-port.ts';
import type { Heap } from '../../../shared/process-heap.ts';
import { memoryFull } from '../../../../domain/errors.ts';

/**
 * How much of a heap may be in use: a share of it, or all but some bytes of a small one, since a large request or step
 * takes as much whatever the heap is.
 */
interface Bound {
  readonly share: number;
  readonly rest: number;
}

const MEGABYTE = 1_048_576;

/** Beyond it adds are refused: the next one might take the heap to 80 %, where V8 begins to give up. */
const FULL: Bound = { share: 0.78, rest: 50 * MEGABYTE };

/** Beyond it they are refused for the time being, garbage or not, when none can be collected. */
const UNSURE: Bound = { share: 0.8, rest: 48 * MEGABYTE };

/** Below it they are taken again, so that the memory does not change its mind. */
const ROOM_AGAIN: Bound = { share: 0.75, rest: 60 * MEGABYTE };

/** Beyond it nothing is taken that may be large. */
const NEARLY_OUT: Bound = { share: 0.84, rest: 36 * MEGABYTE };

/** How often (ms) the garbage is collected at least while the memory is full. */
const INTERVAL = 5000;

/** How long (ms) no further skipped slot is logged, and how long there is room until a line says so: it may not last. */
const SILENCE = 60_000;

/** How full a memory is. */
export type RoomState = Pick<MemoryRoom, 'memory' | 'isFull'>;

/**
 * Whether the memory has room for more jobs (platform contract, section 15), judged by what is left after a full
 * collection. More garbage than the room that is left has one made at once, so that no adds can fill the memory between
 * two of them.
 */
export class MemoryRoom {
  readonly #heap: Heap;
  readonly #logger: LoggerPort;
  readonly #listeners = new Set<() => void>();
  #used: number;
  #isFull = false;
  /** Whether the latest line of the log says that it is full. */
  #isReported = false;
  #isCollected = false;
  #isSilentUntil = 0;
  #timer: NodeJS.Timeout | undefined;
  #doubt: NodeJS.Timeout | undefined;
  #unobserve: (() => void) | undefined;

  constructor(heap: Heap, logger: LoggerPort) {
    this.#heap = heap;
    this.#logger = logger;
    this.#used = heap.used();
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** The heap in use after the last full collection, and its limit. */
  get memory(): StoreMemory {
    return { used: this.#used, limit: this.#heap.limit };
  }

  /** @param listener is called whenever the memory is full, or has room again. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /**
   * Whether schedulers have to skip their slots. To be called only for a slot that is due: the log has a line when one is
   * skipped, at most once a minute.
   *
   * @param isOtherFull whether the memory of another replica is.
   */
  skipsSlots(isOtherFull = false): boolean {
    if (!this.#isFull && !isOtherFull) return false;
    const now = performance.now();
    if (now >= this.#isSilentUntil) {
      this.#isSilentUntil = now + SILENCE;
      this.#logger.warn('The memory is full: schedulers skip their slots');
    }
    return true;
  }

  /** To be called once the jobs are in memory. */
  start(): void {
    this.#unobserve ??= this.#heap.onCollected(() => {
      this.#collected();
    });
    this.#collected();
  }

  stop(): void {
    this.#unobserve?.();
    this.#unobserve = undefined;
    clearTimeout(this.#timer);
    clearTimeout(this.#doubt);
    this.#timer = undefined;
  }

  /** To be called before jobs are added. @throws DomainError `memory-full` */
  check(): void {
    if (!this.#isFull) this.look();
    if (this.#isFull) throw memoryFull(this.memory);
  }

  /** To be called before something is kept that may be large. @throws DomainError `memory-full` */
  checkLarge(): void {
    if (!this.#exceeds(NEARLY_OUT)) return;
    this.#collect();
    if (this.#exceeds(NEARLY_OUT)) throw memoryFull(this.memory);
  }

  /** To be called after the store has grown for other reasons than adds of this process. */
  look(): void {
    if (this.#isFull || !this.#exceeds(FULL) || this.#collect()) return;
    if (!this.#exceeds(UNSURE)) return;
    this.#judge(this.#heap.used());
    clearTimeout(this.#doubt);
    this.#doubt = setTimeout(
      () => this.#collect(),
      Math.max(0, this.#heap.restsUntil - performance.now()) + 1,
    ).unref();
  }

  #exceeds({ share, rest }: Bound, used = this.#heap.used()): boolean {
    const { limit } = this.#heap;
    return used > Math.min(share * limit, limit - rest);
  }

  #collect(): boolean {
    const isCollected = this.#heap.collect();
    if (isCollected) this.#judge(this.#heap.used());
    return isCollected;
  }

  /** Some garbage has been left since: a memory that seems full by now is looked at again. */
  #collected(): void {
    this.#isCollected = true;
    if (this.#isFull || !this.#exceeds(FULL)) this.#judge(this.#heap.used());
    else this.look();
  }

  #judge(used: number): void {
    this.#used = used;
    const isFull = this.#exceeds(this.#isFull ? ROOM_AGAIN : FULL, used);
    if (isFull !== this.#isFull) this.#become(isFull);
  }

  #become(isFull: boolean): void {
    this.#isFull = isFull;
    clearTimeout(this.#timer);
    if (isFull) {
      if (!this.#isReported) {
        this.#logger.error('The memory is full: new jobs are refused', { ...this.memory });
      }
      this.#isReported = true;
      this.#timer = setInterval(() => {
        if (!this.#isCollected) this.#collect();
        this.#isCollected = false;
      }, INTERVAL).unref();
    } else {
      this.#timer = setTimeout(() => {
        this.#isReported = false;
        this.#logger.info('The memory has room again', { ...this.memory });
      }, SILENCE).unref();
    }
    for (const listener of this.#listeners) listener();
  }
}
