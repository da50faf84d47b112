import type { RecordChange } from '../../memory/records/record.ts';
import { StoreFullError } from './store-errors.ts';

/** How long a change that nobody waits for may stay unwritten, in ms. */
const SOON = 50;

/** The least time (ms) from the start of a write to one that nobody waits for, so that under load such writes are few. */
const PACE = 5;

/** From how many records on a write is large enough to be made ready while another one runs. */
const MANY = 1000;

/** After how many ms a write that found the disk full is repeated. */
const RETRY = 1000;

/** What Commits write, and how. */
export interface CommittedChanges {
  /** How many records changed since the last `take`. */
  readonly count: number;

  /**
   * Takes what changed since it was last called. It is called once a write may start, so that records that changed
   * several times meanwhile are written once.
   */
  take(): readonly RecordChange[];

  /**
   * Writes changes, all or none.
   *
   * @param follows whether it starts before the last write has ended. It is then refused if that one is refused.
   * @throws StoreFullError if they may be written later
   */
  write(changes: readonly RecordChange[], follows: boolean): Promise<void>;

  /** Is called once, when a write failed for good. Nothing is written from then on. */
  failed(error: Error): void;
}

/**
 * Group commit: all that changes during a write is the next one, which follows it without a gap when much has changed.
 * What a full disk refused is kept, merged with what changes later, and written again.
 */
export class Commits {
  readonly #changes: CommittedChanges;
  /** When each of the writes that have not ended started, the first one first. */
  readonly #running: number[] = [];
  #next: Promise<void> | undefined;
  #begin: () => void = () => undefined;
  #refused: readonly RecordChange[] = [];
  #timer: { readonly due: number; readonly timeout: NodeJS.Timeout } | undefined;
  #startedAt = -Infinity;
  #failure: Error | undefined;

  constructor(changes: CommittedChanges) {
    this.#changes = changes;
  }

  /**
   * Resolves once everything that changed until now is on the disk; starts writing at once, or right after the running
   * write. @throws the error of the write that would have contained it
   */
  written(): Promise<void> {
    this.#next ??= this.#startNext();
    if (this.#isLarge) this.#begin();
    return this.#next;
  }

  /** Has what changed written within 50 ms, without waiting for it. */
  soon(): void {
    if (this.#next === undefined) this.#later(SOON);
  }

  /**
   * Has what changed written at once, or 5 ms after the last write started, and waits for it only if the disk lags: if a
   * write has taken more than 50 ms, or found the disk full. So what is not on the disk yet is bounded.
   *
   * @throws the error of a write that it waited for
   */
  async keptUp(): Promise<void> {
    if (this.#lags) return this.written();
    if (this.#next === undefined) this.#later(this.#startedAt + PACE - performance.now());
  }

  get #lags(): boolean {
    if (this.#failure !== undefined || this.#refused.length > 0) return true;
    const [first] = this.#running;
    return first !== undefined && performance.now() - first > SOON;
  }

  /** Writes what is left. @throws the error of the last write */
  async end(): Promise<void> {
    await this.written().finally(() => {
      this.#stopTimer();
    });
  }

  async #startNext(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#begin = resolve;
      this.#beginIfFree();
    });
    this.#next = undefined;
    await this.#commit();
  }

  /** All that changes in the same turn of the event loop is in one write, unless it becomes large. */
  #beginIfFree(): void {
    if (this.#running.length > 0) return;
    setImmediate(() => {
      if (this.#running.length === 0) this.#begin();
    });
  }

  /**
   * Whether so much has changed that the next write does not wait for others of its turn, nor for the one that runs. At
   * most one follows another, and none one that was refused.
   */
  get #isLarge(): boolean {
    if (this.#running.length > 1 || this.#refused.length > 0) return false;
    return this.#changes.count >= MANY;
  }

  async #commit(): Promise<void> {
    this.#stopTimer();
    if (this.#failure !== undefined) throw this.#failure;
    const changes = merged(this.#refused, this.#changes.take());
    if (changes.length === 0) return;
    this.#startedAt = performance.now();
    const follows = this.#running.length > 0;
    this.#running.push(this.#startedAt);
    try {
      await this.#changes.write(changes, follows);
      this.#refused = [];
    } catch (error) {
      if (error instanceof StoreFullError) {
        this.#refused = merged(this.#refused, changes);
        this.#later(RETRY);
      } else this.#fail(error as Error);
      throw error;
    } finally {
      this.#running.shift();
      if (this.#isLarge) this.#begin();
      else this.#beginIfFree();
    }
  }

  #fail(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#changes.failed(error);
  }

  /** Only callers that await a write receive its error; the next write reports one that nobody awaited. */
  #later(delay: number): void {
    const due = performance.now() + delay;
    if (this.#timer !== undefined && this.#timer.due <= due) return;
    this.#stopTimer();
    const timeout = setTimeout(() => void this.written().catch(() => undefined), delay);
    this.#timer = { due, timeout };
  }

  #stopTimer(): void {
    clearTimeout(this.#timer?.timeout);
    this.#timer = undefined;
  }
}

/** The newest change of each record. */
function merged(
  refused: readonly RecordChange[],
  changes: readonly RecordChange[],
): readonly RecordChange[] {
  if (refused.length === 0) return changes;
  const newest = new Map<string, RecordChange>();
  for (const change of [...refused, ...changes]) {
    newest.set(`${change.kind}\0${change.queue}\0${change.id}`, change);
  }
  return [...newest.values()];
}
