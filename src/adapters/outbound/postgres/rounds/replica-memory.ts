import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { endedState } from '../../../../domain/jobs/job-status.ts';
import type { WrittenJob } from '../../memory/records/job-record.ts';
import type { RecordChange, RecordKey } from '../../memory/records/record.ts';
import { readId } from '../../memory/records/record-ids.ts';
import type { StoreRecords } from '../../memory/records/store-records.ts';
import { isWhole } from '../../memory/state/ended-job.ts';
import type { MemoryStore } from '../../memory/state/memory-store.ts';
import { keyText, type LoggedChange } from '../log/log-entry.ts';
import type { FoldedRecord } from '../log/shared-log.ts';
import type { SharedChanges } from './shared-changes.ts';

/** Jobs that ended in one round. */
interface EndedIn {
  readonly round: number;
  readonly jobs: readonly (readonly [queue: string, id: string])[];
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
  /** Jobs that ended and are whole in memory until their records are folded, the oldest rounds first. */
  readonly #ended: EndedIn[] = [];

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
    const ended = changes.filter(({ kind, value }) => kind === 'job' && hasEnded(value));
    this.#noteEnded(round, ended);
    announce();
  }

  /** Holds what the steps of a round announce, until it is known whether they count. */
  beginSteps(): void {
    this.#parts.queues.holdAnnouncements();
  }

  /** Takes what the steps changed. */
  takeChanges(): readonly RecordChange[] {
    const { records, changes } = this.#parts;
    return changes.take((kind, queue, id) => records.read(kind, queue, id));
  }

  /** To be called when the steps of a round count, or never happened. */
  endSteps(isCounted: boolean, changes: readonly RecordChange[], round: number): void {
    this.#parts.queues.endHolding(isCounted);
    if (!isCounted) return;
    const jobs = changes.filter(({ kind, value }) => kind === 'job' && value !== undefined);
    const inMemory = jobs.map(({ queue, id }) => ({ queue, id: readId(id) }));
    this.#noteEnded(round, inMemory);
  }

  /** Keeps of jobs that ended up to a round only what others need of them: their records are folded. */
  shrink(folded: number): void {
    while (this.#ended[0] !== undefined && this.#ended[0].round <= folded) {
      const { jobs } = this.#ended.shift() as EndedIn;
      for (const [queue, id] of jobs) {
        this.#parts.queues.find(queue as QueueName)?.jobs.shrink(id);
      }
    }
  }

  #noteEnded(round: number, changed: readonly { readonly queue: string; readonly id: string }[]) {
    const jobs = changed.flatMap(({ queue, id }) => {
      const job = this.#parts.queues.find(queue as QueueName)?.jobs.find(id);
      const isEnded = job !== undefined && endedState(job.status) !== undefined;
      return isEnded ? [[queue, id] as const] : [];
    });
    if (jobs.length > 0) this.#ended.push({ round, jobs });
  }
}

function hasEnded(value: unknown): boolean {
  return endedState((value as WrittenJob | null)?.status) !== undefined;
}
