/** A text that is stored encrypted, or a plain text that only looks encrypted and is stored with the empty key id. */
export interface SealedText {
  /** The id of the key that decrypts it. */
  readonly key: string;
  readonly content: string;
}

/** Neither secrets for signatures nor most header values begin like this. All its characters are valid in a header. */
const SEALED = /^sealed:([A-Za-z0-9._-]*):(.*)$/s;

/** The id of a key in the configuration. */
export const KEY_ID = /^[A-Za-z0-9._-]{1,64}$/;

export function sealedText({ key, content }: SealedText): string {
  return `sealed:${key}:${content}`;
}

/** The parts of a stored text; undefined for a plain one. */
export function parseSealedText(text: string): SealedText | undefined {
  const [, key, content] = SEALED.exec(text) ?? [];
  return key === undefined || content === undefined ? undefined : { key, content };
}
