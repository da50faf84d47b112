import type { JobRecord } from '../../../../domain/records/job-record.ts';
import type { PayloadRecord } from '../records/job-record.ts';
import type { ChangesOfQueue } from '../records/record-changes.ts';

/** A piece of a large add as it is written: when it was staged (epoch ms), and the jobs that it has payloads of. */
export interface StagedPiece {
  readonly at: number;
  readonly ids: readonly string[];
}

/**
 * The payloads of one queue that are stored before their jobs (docs/adr/0042). Nobody sees them: the record of a payload
 * is that of the job where there is one, and otherwise the staged one.
 */
export class StagedPayloads {
  readonly #pieces = new Map<string, StagedPiece>();
  readonly #payloads = new Map<string, PayloadRecord>();
  readonly #changes: ChangesOfQueue;
  readonly #isJob: (id: string) => boolean;

  /** @param isJob whether a job has the id. */
  constructor(changes: ChangesOfQueue, isJob: (id: string) => boolean) {
    this.#changes = changes;
    this.#isJob = isJob;
  }

  /** Stages a piece. A job whose id is staged already is left out. */
  put(key: string, at: number, jobs: readonly JobRecord[]): void {
    const ids: string[] = [];
    for (const { id, name, data, opts } of jobs) {
      if (this.#payloads.has(id)) continue;
      ids.push(id);
      this.#payloads.set(id, { name, data, opts });
      this.#note(id);
    }
    this.#pieces.set(key, { at, ids });
    this.#changes.note('staged', key);
  }

  has(key: string): boolean {
    return this.#pieces.has(key);
  }

  /** Ends a piece: its payloads are those of their jobs from now on, or gone where there is no job. */
  end(key: string): void {
    const piece = this.#pieces.get(key);
    if (piece === undefined) return;
    this.replace(key, undefined);
    for (const id of piece.ids) this.#note(id);
    this.#changes.note('staged', key);
  }

  /** Ends the pieces that were staged before a time, by a process that has ended. */
  endBefore(time: number): void {
    for (const [key, { at }] of this.#pieces) if (at < time) this.end(key);
  }

  payload(id: string): PayloadRecord | undefined {
    return this.#payloads.get(id);
  }

  /** Whether the payload of a job is staged as it is, so that it needs not be written again. */
  holds({ id, name, data, opts }: JobRecord): boolean {
    const staged = this.#payloads.get(id);
    return staged?.name === name && staged.data === data && staged.opts === opts;
  }

  record(key: string): StagedPiece | undefined {
    return this.#pieces.get(key);
  }

  /** Takes a piece as it was written; undefined when it has ended. */
  replace(key: string, piece: StagedPiece | undefined): void {
    const before = this.#pieces.get(key);
    if (piece === undefined) {
      for (const id of before?.ids ?? []) this.#payloads.delete(id);
      this.#pieces.delete(key);
    } else this.#pieces.set(key, piece);
  }

  /** Takes a payload as it was written, of which there is no job yet; undefined when it is gone. */
  replacePayload(id: string, payload: PayloadRecord | undefined): void {
    if (payload === undefined) this.#payloads.delete(id);
    else this.#payloads.set(id, payload);
  }

  /** Notes all of them, as the queue goes. */
  noteAll(): void {
    for (const id of this.#payloads.keys()) this.#note(id);
    for (const key of this.#pieces.keys()) this.#changes.note('staged', key);
  }

  #note(id: string): void {
    if (!this.#isJob(id)) this.#changes.note('payload', id);
  }
}
