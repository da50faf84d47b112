import { object, required, string } from './shape.ts';

/** A secret text of a record, and its place in it. */
export interface SecretText {
  readonly value: string;
  readonly field: string;
}

/** A secret that the available keys cannot decrypt. */
export interface UnreadableSecret {
  readonly field: string;
  /** The id of its key. */
  readonly key: string;
  /** Whether a key with this id exists; then the key differs, or the secret was encrypted for another place. */
  readonly hasKey: boolean;
}

/** Says to people why a secret cannot be read. */
export function unreadableReason({ key, hasKey }: UnreadableSecret): string {
  return `Secret cannot be read (key ${key} ${hasKey ? 'does not open it' : 'is missing'})`;
}

/** A secret that was drawn. */
export const secretShape = object('Secret', {
  secret: required(
    string,
    'The secret that verifies the signatures of calls; it is shown only this once',
  ),
});
