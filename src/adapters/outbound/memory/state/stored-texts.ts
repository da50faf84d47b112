import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { ValueKind } from '../records/kept-values.ts';
import type { ChangesOfQueue } from '../records/record-changes.ts';
import { recordKey } from '../records/record-ids.ts';
import { LeavingValue } from './leaving-value.ts';
import type { RecentPayloads } from './recent-payloads.ts';

/** A text as it is written. */
export interface WrittenText {
  readonly text: string;
}

type TextKind = 'step' | 'signal-body';

/** A text that leaves the memory as a whole once it is on a disk. */
class Text extends LeavingValue<string> {
  readonly length: number;
  readonly #left: () => void;

  constructor(text: string, left: () => void) {
    super(text);
    this.length = text.length;
    this.#left = left;
  }

  override shrink(): void {
    super.shrink();
    this.#left();
  }
}

/** Texts of a queue of one kind, by the ids of their records: the newest are in memory, the others on a disk alone. */
export class StoredTexts {
  readonly #texts = new Map<string, Text>();
  readonly #kind: TextKind;
  readonly #queue: QueueName;
  readonly #changes: ChangesOfQueue;
  readonly #payloads: Pick<RecentPayloads, 'keepValue' | 'forget'>;

  constructor(
    kind: TextKind,
    queue: QueueName,
    changes: ChangesOfQueue,
    payloads: Pick<RecentPayloads, 'keepValue' | 'forget'>,
  ) {
    this.#kind = kind;
    this.#queue = queue;
    this.#changes = changes;
    this.#payloads = payloads;
  }

  /** A text that is in memory. */
  find(id: string): string | undefined {
    return this.#texts.get(id)?.value;
  }

  put(id: string, text: string): void {
    this.restore(id, text);
    this.#changes.note(this.#kind, id);
  }

  remove(id: string): void {
    this.leave(id);
    this.#changes.note(this.#kind, id);
  }

  /** Takes back a text that was on a disk. */
  restore(id: string, text: string): void {
    this.leave(id);
    const kept: Text = new Text(text, () => {
      if (this.#texts.get(id) === kept) this.#texts.delete(id);
    });
    this.#texts.set(id, kept);
  }

  /** Forgets what is in memory. */
  leave(id: string): void {
    const text = this.#texts.get(id);
    if (text === undefined) return;
    this.#payloads.forget(text);
    this.#texts.delete(id);
  }

  /** To be called once a text is on a disk. */
  stored(id: string): void {
    const text = this.#texts.get(id);
    if (text !== undefined) this.#payloads.keepValue({ of: this.#kind, queue: this.#queue, id }, text);
  }

  record(id: string): WrittenText | undefined {
    const text = this.find(id);
    return text === undefined ? undefined : { text };
  }

  /** How texts are read that are on a disk; undefined in place of one that is gone. */
  get reading(): ValueKind<string, string | undefined> {
    return {
      keys: (id) => [recordKey(this.#kind, this.#queue, id)],
      value: ([written]) =>
        written === undefined ? undefined : (JSON.parse(written) as WrittenText).text,
    };
  }
}
