import { setImmediate as turn } from 'node:timers/promises';
import type { RecordChange } from '../../memory/records/record.ts';
import { keyText } from '../../memory/records/record-ids.ts';
import { StoreFullError } from './store-errors.ts';

/** How long a change that nobody waits for may stay unwritten, in ms. */
const SOON = 50;

/** The least time (ms) from the start of a write to one that nobody waits for, so that under load such writes are few. */
const PACE = 5;

/** After how many ms a write that found the disk full is repeated. */
const RETRY = 1000;

/**
 * Group commit: one write at a time, and all that changes meanwhile is the next one. What a full disk refused is kept,
 * merged with what changes later, and written again.
 */
export class Commits {
  readonly #take: () => readonly RecordChange[];
  readonly #write: (changes: readonly RecordChange[]) => Promise<void>;
  readonly #failed: (error: Error) => void;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  /** Of the next write, for all who wait until what a full disk refused is written, too. */
  #nextKept: Promise<void> | undefined;
  #refused: readonly RecordChange[] = [];
  /** Those who wait for what a full disk refused. */
  readonly #refusedOnes: {
    readonly resolve: () => void;
    readonly reject: (error: unknown) => void;
  }[] = [];
  #isEnding = false;
  #timer: { readonly due: number; readonly timeout: NodeJS.Timeout } | undefined;
  #startedAt = -Infinity;
  #failure: Error | undefined;

  /**
   * @param take takes what changed since it was last called. It is called once a write may start, so that records that
   * changed several times meanwhile are written once.
   * @param write writes them, all or none. @throws StoreFullError if they may be written later
   * @param failed is called once, when a write failed for good. Nothing is written from then on.
   */
  constructor(
    take: () => readonly RecordChange[],
    write: (changes: readonly RecordChange[]) => Promise<void>,
    failed: (error: Error) => void,
  ) {
    this.#take = take;
    this.#write = write;
    this.#failed = failed;
  }

  /**
   * Resolves once everything that changed until now is on the disk; starts writing at once, or right after the running
   * write. @throws the error of the write that would have contained it
   */
  written(): Promise<void> {
    this.#next ??= this.#startNext();
    return this.#next;
  }

  /**
   * Resolves once everything that changed until now is on the disk. What a full disk refuses is waited for until there is
   * room: it stays in memory, so that a refusal would be untrue.
   *
   * @throws the error of a write that failed for good, or StoreFullError when the disk is still full at the end
   */
  kept(): Promise<void> {
    const next = this.written();
    this.#nextKept ??= this.#keptOnceWritten(next);
    return this.#nextKept;
  }

  async #keptOnceWritten(next: Promise<void>): Promise<void> {
    try {
      await next;
    } catch (error) {
      if (!(error instanceof StoreFullError) || this.#isEnding) throw error;
      await new Promise<void>((resolve, reject) => this.#refusedOnes.push({ resolve, reject }));
    }
  }

  /** Has what changed written within 50 ms, or with what a full disk refused, without waiting for it. */
  soon(): void {
    if (this.#next === undefined && this.#refused.length === 0) this.#later(SOON);
  }

  /**
   * Has what changed written at once, or 5 ms after the last write started, and waits for it only if the disk lags: if a
   * write has taken more than 50 ms, or found the disk full. So what is not on the disk yet is bounded.
   *
   * @throws the error of a write that it waited for
   */
  async keptUp(): Promise<void> {
    if (this.#lags) return this.kept();
    if (this.#next !== undefined) return;
    const pause = this.#startedAt + PACE - performance.now();
    if (pause > 0) this.#later(pause);
    else this.#writeUnawaited();
  }

  get #lags(): boolean {
    if (this.#failure !== undefined || this.#refused.length > 0) return true;
    return this.#running !== undefined && performance.now() - this.#startedAt > SOON;
  }

  /** Writes what is left. @throws the error of the last write */
  async end(): Promise<void> {
    this.#isEnding = true;
    try {
      await this.written();
    } catch (error) {
      this.#endWaiting(error);
      throw error;
    } finally {
      this.#stopTimer();
    }
  }

  /** All that changes in the same turn of the event loop is in one write. */
  async #startNext(): Promise<void> {
    await this.#running?.catch(() => undefined);
    await turn();
    this.#next = undefined;
    this.#nextKept = undefined;
    await this.#start();
  }

  #start(): Promise<void> {
    this.#stopTimer();
    this.#startedAt = performance.now();
    const running = this.#commit().finally(() => {
      this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  async #commit(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    let changes: readonly RecordChange[] = [];
    try {
      changes = merged(this.#refused, this.#take());
      if (changes.length === 0) return;
      await this.#write(changes);
      this.#refused = [];
      for (const { resolve } of this.#refusedOnes.splice(0)) resolve();
    } catch (error) {
      if (error instanceof StoreFullError) {
        this.#refused = changes;
        this.#later(RETRY);
      } else {
        this.#failure = error as Error;
        this.#endWaiting(error);
        this.#failed(this.#failure);
      }
      throw error;
    }
  }

  #endWaiting(error: unknown): void {
    for (const { reject } of this.#refusedOnes.splice(0)) reject(error);
  }

  /** Only callers that await a write receive its error; the next write reports one that nobody awaited. */
  #writeUnawaited(): void {
    this.written().catch(() => undefined);
  }

  #later(delay: number): void {
    const due = performance.now() + delay;
    if (this.#timer !== undefined && this.#timer.due <= due) return;
    this.#stopTimer();
    const timeout = setTimeout(() => {
      this.#writeUnawaited();
    }, delay);
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
    newest.set(keyText(change), change);
  }
  return [...newest.values()];
}
