import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { ChangedRecords } from '../../memory/records/changed-records.ts';
import type { RecordKind } from '../../memory/records/record-changes.ts';

/** The records that the steps of this replica changed since they were last taken. */
export class SharedChanges extends ChangedRecords {
  #isReplacing = false;

  override note(kind: RecordKind, queue: QueueName | '', id: string, text?: string): void {
    if (!this.#isReplacing) super.note(kind, queue, id, text);
  }

  /** Runs what takes records as another replica wrote them: these are no changes of this replica. */
  whileReplacing<Answer>(run: () => Answer): Answer {
    this.#isReplacing = true;
    try {
      return run();
    } finally {
      this.#isReplacing = false;
    }
  }
}
