import type { PushContent } from '../../domain/messages/push.ts';

/** Keys that sign pushed messages: receivers know both, and the current one signs. */
export interface PushKeyPair {
  readonly current: string;
  readonly next: string;
}

/** Writes what programs that speak QStash get. */
export interface PushFormatPort {
  /** A JSON Web Token for a call that is made now: with the digest of its body, and valid for five minutes. */
  signature(key: string, url: string, body: Buffer, now: number): string;

  /** SHA-256 in hex, of bytes or of a text in UTF-8. */
  digest(content: PushContent): string;

  bytes(content: PushContent): Buffer;
}
