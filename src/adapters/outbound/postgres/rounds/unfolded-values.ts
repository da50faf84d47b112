import { keptOrMade } from '../../../../domain/values/kept-or-made.ts';
import { isOwned, kindsOf, ownerOf, type ValueKey } from '../../memory/records/value-key.ts';

/** A record, with its id as it is in memory. */
export type ChangedKey = Readonly<Record<'kind' | 'queue' | 'id', string>>;

/** A change of a record. `value` is JSON text, or parsed. */
type Changed = Omit<ChangedKey, 'id'> & { readonly value: unknown };

/** Records of one kind and queue that one round changed. */
interface ChangedTogether extends Omit<ChangedKey, 'id'> {
  readonly round: number;
  readonly ids: string[];
}

/** The records with values that are not folded yet as they are now. A large add has many: none takes an object of its own. */
export class UnfoldedValues {
  #changed: ChangedTogether[] = [];
  /** The last round that changed each, by kind and queue, and by id; negative if it may have been an earlier one. */
  readonly #rounds = new Map<string, Map<string, number>>();

  /**
   * Notes that a round changed a record, unless it has no values.
   *
   * @param id that of the record as it is in memory.
   * @param round negative if it may have been an earlier one.
   */
  note({ kind, queue, value }: Changed, id: string, round: number): void {
    if (!isOwned(kind) || (kind === 'child' && isAwaited(value))) return;
    const last = this.#changed.at(-1);
    if (last?.kind === kind && last.queue === queue && last.round === Math.abs(round)) {
      last.ids.push(id);
    } else this.#changed.push({ kind, queue, round: Math.abs(round), ids: [id] });
    keptOrMade(this.#rounds, placeOf(kind, queue), () => new Map()).set(id, round);
  }

  /**
   * Forgets what is folded.
   *
   * @param most how many records it looks at.
   * @param folded receives the owners of values of which all are folded.
   * @returns whether there may be more.
   */
  forget(upTo: number, most: number, folded: (owner: ValueKey) => void): boolean {
    const areFolded = ({ round }: ChangedTogether): boolean => round <= upTo;
    let left = most;
    for (const together of this.#changed.filter(areFolded)) {
      const ids = together.ids.splice(0, left);
      left -= ids.length;
      for (const id of ids) {
        const owner = this.#forget(together, id);
        if (owner !== undefined && this.isFolded(owner)) folded(owner);
      }
    }
    this.#changed = this.#changed.filter(({ ids }) => ids.length > 0);
    return this.#changed.some(areFolded);
  }

  /** Whether all values of an owner are folded. */
  isFolded(owner: ValueKey): boolean {
    const { queue, id } = owner;
    return kindsOf(owner).every((kind) => this.#roundOf({ kind, queue, id }) === undefined);
  }

  /** The rounds that last changed those of some records that are here; undefined where that is not known of all of them. */
  roundsOf(keys: readonly ChangedKey[]): readonly number[] | undefined {
    const rounds = keys.flatMap((key) => this.#roundOf(key) ?? []);
    return rounds.some((round) => round < 0) ? undefined : [...new Set(rounds)];
  }

  #roundOf({ kind, queue, id }: ChangedKey): number | undefined {
    return this.#rounds.get(placeOf(kind, queue))?.get(id);
  }

  /** @returns the owner of its values, if it has any and no later round changed it. */
  #forget({ kind, queue, round }: ChangedTogether, id: string): ValueKey | undefined {
    const place = placeOf(kind, queue);
    const rounds = this.#rounds.get(place);
    if (Math.abs(rounds?.get(id) ?? 0) !== round) return undefined;
    rounds?.delete(id);
    if (rounds?.size === 0) this.#rounds.delete(place);
    return ownerOf(kind, queue, id);
  }
}

/** Whether a child has not ended, so that its record has no value. */
function isAwaited(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('"ending"');
  return typeof value === 'object' && value !== null && !Object.hasOwn(value, 'ending');
}

/** The name of a kind has no colon. */
function placeOf(kind: string, queue: string): string {
  return `${kind}:${queue}`;
}
