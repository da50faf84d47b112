import { ChangedRecords } from '../../src/adapters/outbound/embedded/changed-records.ts';
import { readId } from '../../src/adapters/outbound/embedded/record-ids.ts';
import type { RecordChange } from '../../src/adapters/outbound/embedded/file/record.ts';
import { StoreRecords } from '../../src/adapters/outbound/memory/state/store-records.ts';
import type { RecordKind } from '../../src/adapters/outbound/memory/state/record-changes.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import type { QueueHarness, QueueReplica } from '../contracts/queue-harness.ts';
import { FakeClock } from './fake-clock.ts';
import { memoryQueueHarness, type MemoryQueueHarness } from './memory-queue-harness.ts';

/** All records that were ever written, as a disk has them. */
class WrittenRecords {
  readonly #byKey = new Map<string, RecordChange>();

  write(changes: readonly RecordChange[]): void {
    for (const change of changes) {
      const key = JSON.stringify([change.kind, change.queue, change.id]);
      if (change.value === undefined) this.#byKey.delete(key);
      else this.#byKey.set(key, change);
    }
  }

  /** In the order in which a disk returns them. */
  get all(): readonly RecordChange[] {
    const inOrder = [...this.#byKey].sort(([one], [other]) => (one < other ? -1 : 1));
    return inOrder.map(([, record]) => record);
  }
}

interface Opened {
  readonly harness: MemoryQueueHarness;
  readonly changed: ChangedRecords;
  readonly records: StoreRecords;
}

/**
 * Queues in memory that are thrown away each time the clock is advanced, and read again from the records that their
 * steps have changed: whatever a record leaves out is lost. The calls go on, as if the same process went on.
 */
export function reopenedQueueHarness(prefix = 'test', clock = new FakeClock()): QueueHarness {
  const written = new WrittenRecords();
  let opened = open();

  function open(): Opened {
    const changed = new ChangedRecords();
    const records = new StoreRecords(changed);
    const harness = memoryQueueHarness(prefix, clock, records);
    for (const { kind, queue, id, value } of written.all) {
      const record: unknown = JSON.parse(value ?? 'null');
      records.restore(kind as RecordKind, queue as QueueName | '', readId(id), record);
    }
    records.restored();
    harness.store.restored();
    return { harness, changed, records };
  }

  function reopen(): void {
    const { changed, records } = opened;
    written.write(changed.take((kind, queue, id) => records.read(kind, queue, id)));
    opened = open();
  }

  const replica = currentPorts(() => opened.harness);
  return {
    ...replica,
    prefix,
    now: () => clock.now(),
    advance: async (ms) => {
      await clock.advance(ms);
      reopen();
    },
    entriesOfGroups: (queues) => opened.harness.entriesOfGroups(queues),
    replica: () => Promise.resolve(replica),
    dispose: () => Promise.resolve(),
  };
}

type Method = (...given: unknown[]) => unknown;

/** The ports of the harness that is open when one of their methods is called. */
function currentPorts(current: () => MemoryQueueHarness): QueueReplica {
  const names = Object.keys(current()) as (keyof QueueReplica)[];
  const entries = names.map((name) => {
    const port = new Proxy(
      {},
      {
        get: (_, method) => {
          const target = current()[name] as unknown as Readonly<Record<PropertyKey, Method>>;
          return (...given: unknown[]) => target[method]?.(...given);
        },
      },
    );
    return [name, port];
  });
  return Object.fromEntries(entries) as QueueReplica;
}
