/** A text that is kept encrypted, or one that only looks so and is kept with the empty id. */
export interface SealedText {
  /** The id of the key that opens it. */
  readonly key: string;
  readonly content: string;
}

/** Neither a secret for signatures nor the values of most headers begin so. All of it may stand in a header. */
const SEALED = /^sealed:([A-Za-z0-9._-]*):(.*)$/s;

/** The id of a key in the configuration. */
export const KEY_ID = /^[A-Za-z0-9._-]{1,64}$/;

export function sealedText({ key, content }: SealedText): string {
  return `sealed:${key}:${content}`;
}

/** The parts of a kept text; undefined for one that is kept as it is. */
export function parseSealedText(text: string): SealedText | undefined {
  const [, key, content] = SEALED.exec(text) ?? [];
  return key === undefined || content === undefined ? undefined : { key, content };
}
