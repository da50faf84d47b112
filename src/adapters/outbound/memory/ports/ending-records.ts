import { keptOrMade } from '../../../../domain/values/kept-or-made.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { KeyedRecords } from '../records/keyed-records.ts';
import type { RecordKind } from '../records/record-changes.ts';
import type { StoreRecords } from '../records/store-records.ts';

interface Ending {
  /** Epoch ms. All records of an owner last equally long. */
  readonly endsAt: number;
}

/** Records that end by themselves, each with an owner. */
export class EndingRecords<Kept extends Ending> {
  readonly #clock: ClockPort;
  readonly #records: KeyedRecords<Kept>;
  /** The ids of the records of each owner. */
  readonly #owned = new Map<string, Set<string>>();

  constructor(
    clock: ClockPort,
    records: StoreRecords,
    kind: RecordKind,
    ownerOf: (record: Kept) => string,
  ) {
    this.#clock = clock;
    this.#records = records.map(kind, (id, now, before) => {
      if (now !== undefined) this.#own(ownerOf(now), id);
      else if (before !== undefined) this.#disown(ownerOf(before), id);
    });
  }

  /** Beyond `most` records of the owner, the first one to end goes. */
  add(id: string, record: Kept, owner: string, most: number): void {
    const now = this.#clock.now();
    for (const [old, { endsAt }] of this.#records.entries()) {
      // After a start some that ended are behind others, whose end comes within the time that each lasts.
      if (endsAt > now) break;
      this.#records.remove(old);
    }
    this.#records.put(id, record);
    const owned = [...(this.#owned.get(owner) ?? [])];
    const endOf = (each: string): number => this.#records.find(each)?.endsAt ?? 0;
    if (owned.length <= most) return;
    this.#records.remove(owned.reduce((one, next) => (endOf(next) < endOf(one) ? next : one)));
  }

  /** Undefined for one that has ended. */
  find(id: string): Kept | undefined {
    const record = this.#records.find(id);
    return record !== undefined && record.endsAt > this.#clock.now() ? record : undefined;
  }

  of(owner: string): readonly Kept[] {
    return [...(this.#owned.get(owner) ?? [])].flatMap((id) => this.find(id) ?? []);
  }

  replace(id: string, record: Kept): void {
    this.#records.put(id, record);
  }

  remove(id: string): void {
    this.#records.remove(id);
  }

  #own(owner: string, id: string): void {
    keptOrMade(this.#owned, owner, () => new Set()).add(id);
  }

  #disown(owner: string, id: string): void {
    const owned = this.#owned.get(owner);
    owned?.delete(id);
    if (owned?.size === 0) this.#owned.delete(owner);
  }
}
