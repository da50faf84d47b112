import type { SecretText, UnreadableSecret } from '../../domain/values/secret-text.ts';

/** The secrets that the records of one kind hold. */
export interface SecretsOfKind<Kept> {
  all(kept: Kept): readonly SecretText[];

  /** The record with other texts in place of its secrets. */
  replaced(kept: Kept, change: (secret: SecretText) => string): Kept;

  /** The place that a secret is encrypted for: its record and field, and the origin of the URL that receives it. */
  placeOf(kept: Kept, field: string, id: string): readonly string[];

  /** The place that earlier versions encrypted a secret for: it is read until it is encrypted again. */
  formerPlaceOf?(kept: Kept, field: string): readonly string[];
}

/** The secrets of a kind whose records say so when one of their secrets cannot be decrypted. */
export interface SecretsOfCollection<Kept> extends SecretsOfKind<Kept> {
  marked(kept: Kept, secret: UnreadableSecret): Kept;

  /** The record as it is stored; undefined for one that is not marked. */
  unmarked(record: Kept): Kept | undefined;
}
