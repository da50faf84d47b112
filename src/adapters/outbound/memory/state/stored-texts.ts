import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import type { ValueKind } from '../records/kept-values.ts';
import type { ChangesOfQueue } from '../records/record-changes.ts';
import type { Values } from '../records/record.ts';
import { recordKey } from '../records/record-ids.ts';
import type { LeavingValue } from './leaving-value.ts';
import type { Surroundings } from './stored-queue.ts';

/** A text as it is written. */
export interface WrittenText {
  readonly text: string;
}

type TextKind = 'step' | 'signal-body';

/** Texts that one read asks for, at most: the steps of a job have 1 MB together, and a signal has 64 kB. */
const MOST_AT_ONCE: Readonly<Record<TextKind, number>> = { step: 1000, 'signal-body': 16 };

/** A text in memory, which leaves it as a whole. */
type Text = Pick<LeavingValue<string>, 'value' | 'isWhole' | 'length' | 'shrink'>;

/** Texts of a queue of one kind, by the ids of their records: the newest are in memory, the others on a disk alone. */
export class StoredTexts {
  readonly #texts = new Map<string, Text>();
  readonly #kind: TextKind;
  readonly #queue: QueueName;
  readonly #changes: ChangesOfQueue;
  readonly #surroundings: Pick<Surroundings, 'payloads' | 'values'>;

  constructor(
    kind: TextKind,
    queue: QueueName,
    changes: ChangesOfQueue,
    surroundings: Pick<Surroundings, 'payloads' | 'values'>,
  ) {
    this.#kind = kind;
    this.#queue = queue;
    this.#changes = changes;
    this.#surroundings = surroundings;
  }

  /** A text that is in memory. */
  find(id: string): string | undefined {
    return this.#texts.get(id)?.value;
  }

  /** Reads texts from memory or the disk; those of steps are of one job. A text that is gone is undefined. */
  async read(ids: readonly string[]): Promise<ReadonlyMap<string, string | undefined>> {
    const texts = new Map(ids.map((id) => [id, this.find(id)]));
    const missing = ids.filter((id) => texts.get(id) === undefined);
    for (const some of piecesOf(missing, MOST_AT_ONCE[this.#kind])) {
      const read = (await this.#surroundings.values.find([some], this.#reading)).get(some);
      for (const [index, id] of some.entries()) texts.set(id, this.find(id) ?? read?.[index]);
    }
    return texts;
  }

  /** Reads texts into memory, for a step that needs them at hand and comes next. */
  async fetch(ids: readonly string[]): Promise<void> {
    for (const [id, text] of await this.read(ids)) {
      if (text === undefined || this.find(id) !== undefined) continue;
      this.#keep(id, text);
      this.stored(id);
    }
  }

  put(id: string, text: string): void {
    this.#keep(id, text);
    this.#changes.note(this.#kind, id);
  }

  remove(id: string): void {
    this.replace(id);
    this.#changes.note(this.#kind, id);
  }

  /** Takes a text that was written, by another replica too: it is read when it is needed. */
  replace(id: string): void {
    const text = this.#texts.get(id);
    if (text === undefined) return;
    this.#surroundings.payloads.forget(text);
    this.#texts.delete(id);
  }

  /** To be called once a text is on a disk. */
  stored(id: string): void {
    const text = this.#texts.get(id);
    const key = { of: this.#kind, queue: this.#queue, id };
    if (text !== undefined) this.#surroundings.payloads.keepValue(key, text);
  }

  record(id: string): WrittenText | undefined {
    const text = this.find(id);
    return text === undefined ? undefined : { text };
  }

  #keep(id: string, value: string): void {
    this.replace(id);
    const shrink = (): void => {
      this.#texts.delete(id);
    };
    this.#texts.set(id, { value, isWhole: true, length: value.length, shrink });
  }

  /** Reads several texts from the disk together. A text that is gone is undefined. */
  get #reading(): ValueKind<readonly string[], Values> {
    return {
      keys: (ids) => ids.map((id) => recordKey(this.#kind, this.#queue, id)),
      value: (read) => read.map((written) => written && (JSON.parse(written) as WrittenText).text),
    };
  }
}
