import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { KeptSignal, SignalsState } from '../../../../domain/transitions/queue-state.ts';
import { KeyedRecords } from '../records/keyed-records.ts';
import type { ChangesOfQueue } from '../records/record-changes.ts';
import type { Surroundings } from './stored-queue.ts';
import { StoredTexts } from './stored-texts.ts';

/** The kept signals of one queue, by their keys. */
export class StoredSignals extends KeyedRecords<KeptSignal> implements SignalsState {
  readonly bodies: StoredTexts;

  constructor(
    queue: QueueName,
    changes: ChangesOfQueue,
    surroundings: Pick<Surroundings, 'payloads' | 'values'>,
  ) {
    super(changes.note.bind(changes, 'signal'));
    this.bodies = new StoredTexts('signal-body', queue, changes, surroundings);
  }

  bodyOf(key: string): string {
    const body = this.bodies.find(key);
    if (body === undefined) throw new Error(`The body of the signal ${key} is not in memory`);
    return body;
  }

  keep(key: string, signal: KeptSignal, body: string): void {
    this.put(key, signal);
    this.bodies.put(key, body);
  }

  override remove(key: string): boolean {
    const wasKept = super.remove(key);
    if (wasKept) this.bodies.remove(key);
    return wasKept;
  }

  override noteAll(): void {
    super.noteAll();
    for (const key of this.ids()) this.bodies.remove(key);
  }
}
