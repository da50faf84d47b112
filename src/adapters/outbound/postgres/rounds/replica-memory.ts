import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { endedState } from '../../../../domain/jobs/job-status.ts';
import type { RecordChange, RecordKey } from '../../memory/records/record.ts';
import { readId } from '../../memory/records/record-ids.ts';
import type { StoreRecords } from '../../memory/records/store-records.ts';
import { isWhole } from '../../memory/state/ended-job.ts';
import type { MemoryStore } from '../../memory/state/memory-store.ts';
import { keyText, type LoggedChange } from '../log/log-entry.ts';
import type { FoldedRecord } from '../log/shared-log.ts';
import type { SharedChanges } from './shared-changes.ts';

/** A job that ended, and the last round that changed it. */
interface EndedIn {
  readonly round: number;
  readonly queue: QueueName;
  readonly id: string;
}

/** The parts of the memory of a replica. */
export interface MemoryParts {
  readonly queues: MemoryStore;
  readonly records: StoreRecords;
  readonly changes: SharedChanges;
}

/** The memory of one replica, as the log changes it. */
export class ReplicaMemory {
  readonly #parts: MemoryParts;
  /** Jobs that ended and are whole in memory until their last records are folded, the oldest rounds first. */
  readonly #ended = new Map<string, EndedIn>();

  constructor(parts: MemoryParts) {
    this.#parts = parts;
  }

  /** Takes records as they are read at the start. */
  restore(found: readonly FoldedRecord[]): void {
    const { records, changes } = this.#parts;
    changes.whileReplacing(() => {
      for (const { kind, queue, id, value } of found) {
        records.restore(kind, readId(queue) as QueueName | '', readId(id), JSON.parse(value));
      }
    });
  }

  /** To be called once all folded records are restored. */
  restored(): void {
    const { records, queues, changes } = this.#parts;
    changes.whileReplacing(() => {
      records.restored();
      queues.restored();
    });
  }

  /**
   * The jobs among the changes that start over and of which a part is not in memory: their payloads must be among the
   * changes as well.
   */
  withoutPayload(changes: readonly LoggedChange[]): readonly RecordKey[] {
    const given = new Set(changes.map(keyText));
    return changes.flatMap(({ kind, queue, id, value }) => {
      if (kind !== 'job' || value === null || value === undefined) return [];
      const known = this.#parts.queues.find(queue as QueueName)?.jobs.find(id);
      if (known === undefined || isWhole(known)) return [];
      const parts = (['payload', 'logs'] as const).map((part) => ({ kind: part, queue, id }));
      return parts.filter((part) => !given.has(keyText(part)));
    });
  }

  /** Takes what other replicas changed up to a round, and announces it. The changes are in the order of their kinds. */
  take(changes: readonly LoggedChange[], round: number): void {
    const { records, queues } = this.#parts;
    const announce = this.#parts.changes.whileReplacing(() => {
      for (const { kind, queue, id, value } of changes) {
        records.replace(kind, queue as QueueName | '', id, value ?? undefined);
      }
      records.restored();
      return queues.replaced();
    });
    this.#noteEnded(
      round,
      changes.filter(({ kind }) => kind === 'job' || kind === 'logs'),
    );
    announce();
  }

  /** Takes what the steps changed. */
  takeChanges(): readonly RecordChange[] {
    const { records, changes } = this.#parts;
    return changes.take((kind, queue, id) => records.read(kind, queue, id));
  }

  /** To be called when the steps of a round count, or never happened. */
  endSteps(isCounted: boolean, changes: readonly RecordChange[], round: number): void {
    const { changes: ofReplica } = this.#parts;
    if (!isCounted) {
      ofReplica.lost();
      return;
    }
    ofReplica.written();
    const jobs = changes.filter(({ kind }) => kind === 'job' || kind === 'logs');
    const inMemory = jobs.map(({ queue, id }) => ({ queue, id: readId(id) }));
    this.#noteEnded(round, inMemory);
  }

  /** Keeps of jobs that ended up to a round only what others need of them: their records are folded. */
  shrink(folded: number): void {
    for (const [key, { round, queue, id }] of this.#ended) {
      if (round > folded) return;
      this.#ended.delete(key);
      this.#parts.queues.find(queue)?.jobs.shrink(id);
    }
  }

  #noteEnded(round: number, changed: readonly { readonly queue: string; readonly id: string }[]) {
    for (const { queue: name, id } of changed) {
      const queue = name as QueueName;
      const key = `${queue}:${id}`;
      const job = this.#parts.queues.find(queue)?.jobs.find(id);
      this.#ended.delete(key);
      if (endedState(job?.status) !== undefined) this.#ended.set(key, { round, queue, id });
    }
  }
}
