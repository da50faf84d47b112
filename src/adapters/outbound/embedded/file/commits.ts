import { setImmediate as turn } from 'node:timers/promises';
import type { RecordChange } from '../../memory/records/record.ts';
import { StoreFullError } from './store-errors.ts';

/** How long a change that nobody waits for may stay unwritten, in ms. */
const SOON = 50;

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
  #refused: readonly RecordChange[] = [];
  #timer: NodeJS.Timeout | undefined;
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

  /** Has what changed written within 50 ms, without waiting for it. */
  soon(): void {
    if (this.#next === undefined) this.#later(SOON);
  }

  /** Writes what is left. @throws the error of the last write */
  async end(): Promise<void> {
    await this.written().finally(() => clearTimeout(this.#timer));
  }

  /** All that changes in the same turn of the event loop is in one write. */
  async #startNext(): Promise<void> {
    await this.#running?.catch(() => undefined);
    await turn();
    this.#next = undefined;
    await this.#start();
  }

  #start(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const running = this.#commit().finally(() => {
      this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  async #commit(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    const changes = merged(this.#refused, this.#take());
    if (changes.length === 0) return;
    try {
      await this.#write(changes);
      this.#refused = [];
    } catch (error) {
      if (error instanceof StoreFullError) {
        this.#refused = changes;
        this.#later(RETRY);
      } else {
        this.#failure = error as Error;
        this.#failed(this.#failure);
      }
      throw error;
    }
  }

  /** Only callers that await a write receive its error; the next write reports one that nobody awaited. */
  #later(delay: number): void {
    this.#timer ??= setTimeout(() => void this.written().catch(() => undefined), delay);
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
