import { ChangedRecords } from '../../src/adapters/outbound/memory/records/changed-records.ts';
import type { WrittenJob } from '../../src/adapters/outbound/memory/records/job-record.ts';
import type { WrittenLogPiece } from '../../src/adapters/outbound/memory/state/job-log.ts';
import type { WrittenChild } from '../../src/adapters/outbound/memory/state/children.ts';
import { KeptValues } from '../../src/adapters/outbound/memory/records/kept-values.ts';
import type {
  FoundValues,
  RecordGroups,
} from '../../src/adapters/outbound/memory/records/record.ts';
import { numberedRecordId, readId } from '../../src/adapters/outbound/memory/records/record-ids.ts';
import { ownerOf } from '../../src/adapters/outbound/memory/records/value-key.ts';
import type { RecordChange } from '../../src/adapters/outbound/memory/records/record.ts';
import { StoreRecords } from '../../src/adapters/outbound/memory/records/store-records.ts';
import { RecentPayloads } from '../../src/adapters/outbound/memory/state/recent-payloads.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import type { QueueHarness, QueueReplica } from '../contracts/queue-harness.ts';
import { currentPorts } from './current-ports.ts';
import { FakeClock } from './fake-clock.ts';
import { memoryQueueHarness, type MemoryQueueHarness } from './memory-queue-harness.ts';

/** All records that were ever written, as a disk has them. */
class WrittenRecords {
  readonly #byKey = new Map<string, RecordChange>();

  write(changes: readonly RecordChange[]): void {
    for (const change of changes) {
      const key = keyOf(change);
      if (change.value === undefined) this.#byKey.delete(key);
      else this.#byKey.set(key, change);
    }
  }

  /** At most one group less than all, so that each page of several is read in pieces. */
  find(groups: RecordGroups): Promise<FoundValues> {
    const some = groups.slice(0, Math.max(1, groups.length - 1));
    return Promise.resolve(
      some.map((keys) => keys.map((key) => this.#byKey.get(keyOf(key))?.value)),
    );
  }

  /** Has them as the release before wrote them: what it kept in payloads alone is there, and histories are in jobs. */
  makeEarlier(): void {
    for (const record of this.all) {
      if (record.kind === 'job') {
        this.#makeEarlierLog(record);
        this.#makeEarlier(record, 'history', withoutLaterFields);
      }
      if (record.kind === 'child') this.#makeEarlier(record, 'returned', withReturned);
    }
  }

  #makeEarlierLog({ queue, id, value = '{}' }: RecordChange): void {
    const { log } = JSON.parse(value) as WrittenJob;
    if (log === undefined) return;
    const lines = log.pieces.flatMap(([number]) => {
      const key = keyOf({ kind: 'log-piece', queue, id: numberedRecordId(readId(id), number) });
      const piece = JSON.parse(this.#byKey.get(key)?.value ?? '{}') as WrittenLogPiece;
      this.#byKey.delete(key);
      return piece.lines;
    });
    const record = { kind: 'logs', queue, id } as const;
    const kept = JSON.stringify(lines.slice(log.skipped));
    this.#byKey.set(keyOf(record), { ...record, value: kept });
  }

  #makeEarlier(
    record: RecordChange,
    apart: RecordChange['kind'],
    merged: (record: object, apart: object) => object,
  ): void {
    const key = keyOf({ ...record, kind: apart });
    const [value, ofApart] = [record.value, this.#byKey.get(key)?.value ?? '{}'];
    const whole = merged(JSON.parse(value ?? '{}') as object, JSON.parse(ofApart) as object);
    this.#byKey.delete(key);
    this.#byKey.set(keyOf(record), { ...record, value: JSON.stringify(whole) });
  }

  /** In the order in which a disk returns them. */
  get all(): readonly RecordChange[] {
    const inOrder = [...this.#byKey].sort(([one], [other]) => (one < other ? -1 : 1));
    return inOrder.map(([, record]) => record);
  }
}

function withoutLaterFields(job: object, history: object): object {
  const later = {
    name: undefined,
    firstDelay: undefined,
    log: undefined,
    hasHistory: undefined,
  };
  return { ...job, ...history, ...later };
}

function withReturned({ ending, ...child }: Partial<WrittenChild>, apart: object): object {
  return { ...child, ...(ending && { ending: { ...ending, length: undefined, ...apart } }) };
}

function keyOf({ kind, queue, id }: Pick<RecordChange, 'kind' | 'queue' | 'id'>): string {
  return JSON.stringify([kind, queue, id]);
}

interface Opened {
  readonly harness: MemoryQueueHarness;
  readonly changed: ChangedRecords;
  readonly records: StoreRecords;
}

function openQueues(prefix: string, clock: FakeClock, written: WrittenRecords): Opened {
  const changed = new ChangedRecords();
  const keptValues = new KeptValues();
  keptValues.readFrom(written);
  const payloads = new RecentPayloads(0, (key) => changed.areValuesStored(key));
  const records = new StoreRecords(changed, keptValues, payloads);
  const harness = memoryQueueHarness(prefix, clock, records);
  for (const { kind, queue, id, value } of written.all) {
    records.restore(kind, queue as QueueName | '', readId(id), JSON.parse(value ?? 'null'));
  }
  records.restored();
  harness.store.restored();
  return { harness, changed, records };
}

/** @returns what was written. */
function writeRecords(
  { changed, records }: Opened,
  written: WrittenRecords,
): readonly RecordChange[] {
  const changes = changed.take((kind, queue, id) => records.read(kind, queue, id));
  written.write(changes);
  changed.written();
  return changes;
}

/**
 * Queues in memory that are thrown away each time the clock is advanced, and read again from the records that their
 * steps have changed: whatever a record leaves out is lost. The calls go on, as if the same process went on.
 */
export function reopenedQueueHarness(
  prefix = 'test',
  clock = new FakeClock(),
  closed?: (written: WrittenRecords) => void,
): QueueHarness {
  const written = new WrittenRecords();
  let opened = openQueues(prefix, clock, written);
  const replica = currentPorts(() => opened.harness);
  return harnessOf(replica, prefix, clock, {
    opened: () => opened,
    advanced: () => {
      writeRecords(opened, written);
      closed?.(written);
      opened = openQueues(prefix, clock, written);
    },
  });
}

/** The same, with the records of jobs as the release before wrote them. */
export function earlierQueueHarness(prefix = 'test', clock = new FakeClock()): QueueHarness {
  return reopenedQueueHarness(prefix, clock, (written) => {
    written.makeEarlier();
  });
}

/** Queues in memory whose jobs leave the memory as soon as they are written, but for what steps need of them. */
export function shrunkQueueHarness(prefix = 'test', clock = new FakeClock()): QueueHarness {
  const written = new WrittenRecords();
  const opened = openQueues(prefix, clock, written);
  const shrink = (): void => {
    for (const { kind, queue, id } of writeRecords(opened, written)) {
      const { store } = opened.harness;
      const owner = ownerOf(kind, queue, readId(id));
      if (owner !== undefined) store.find(owner.queue)?.stored(owner);
    }
  };
  const replica = currentPorts(() => opened.harness, shrink);
  return harnessOf(replica, prefix, clock, { opened: () => opened, advanced: shrink });
}

function harnessOf(
  replica: QueueReplica,
  prefix: string,
  clock: FakeClock,
  { opened, advanced }: { readonly opened: () => Opened; readonly advanced: () => void },
): QueueHarness {
  return {
    ...replica,
    prefix,
    now: () => clock.now(),
    advance: async (ms) => {
      await clock.advance(ms);
      advanced();
    },
    entriesOfGroups: (queues) => opened().harness.entriesOfGroups(queues),
    replica: () => Promise.resolve(replica),
    dispose: () => Promise.resolve(),
  };
}
