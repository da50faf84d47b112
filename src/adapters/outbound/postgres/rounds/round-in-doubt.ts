import { writtenId } from '../../memory/records/record-ids.ts';
import type { RecordChange, RecordKey } from '../../memory/records/record.ts';
import type { Session } from '../driver/database.ts';
import type { LogEntry } from '../log/log-entry.ts';
import type { Call } from './call.ts';

/**
 * A round whose steps ran and which failed, so that the memory is ahead of the log. When its commit was lost, it is stored
 * as a whole or not at all, which is known once the next round has the log for itself.
 */
export class RoundInDoubt {
  /** Its records. */
  readonly keys: readonly RecordKey[];
  readonly #entry: LogEntry;
  readonly #calls: readonly Call<[Session]>[];
  readonly #known: Promise<void>;
  #resolve: () => void = () => undefined;

  /** @param calls those that ran in it, and wait for their answers. */
  constructor(
    entry: LogEntry,
    changed: readonly RecordChange[],
    calls: readonly Call<[Session]>[],
  ) {
    this.#entry = entry;
    this.#calls = calls;
    this.keys = changed.map(({ kind, queue, id }) => ({ kind, queue: writtenId(queue), id }));
    this.#known = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Resolves once it is known whether it is stored. */
  get known(): Promise<void> {
    return this.#known;
  }

  /** Whether a caller still waits. */
  get isAwaited(): boolean {
    return this.#calls.some(({ isOpen }) => isOpen);
  }

  /** The length of its changes. */
  get length(): number {
    return this.#entry.changes.length;
  }

  /** @param error why its fate is unknown. */
  doubt(error: unknown): void {
    for (const call of this.#calls) call.doubt(error);
  }

  /** @param entries the rounds since the last one in memory, which nobody adds to. @returns whether it is stored. */
  resolve(entries: readonly LogEntry[]): boolean {
    const { round, replica } = this.#entry;
    const isStored = entries.some((each) => each.round === round && each.replica === replica);
    for (const call of this.#calls) {
      if (isStored) call.answer();
      else call.fail(new Error('The connection broke before the commit'));
    }
    this.#resolve();
    return isStored;
  }

  /** The callers do not learn whether it is stored. */
  giveUp(error: unknown): void {
    for (const call of this.#calls) call.giveUp(error);
  }
}
