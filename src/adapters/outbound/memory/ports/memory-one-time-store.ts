/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import { createHash } from 'node:crypto';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type {
  OneTimeBounds,
  OneTimeStorePort,
} from '../../../../application/ports/one-time-store-port.ts';
import { StoreRecords } from '../records/store-records.ts';
import { EndingRecords } from './ending-records.ts';

interface IssuedSecret {
  /** JSON text; undefined once the secret is used. */
  readonly content?: string;
  readonly owner: string;
  /** Epoch ms. */
  readonly endsAt: number;
}

/** Secrets in the memory of this process, by their digests. */
export class MemoryOneTimeStore<Content> implements OneTimeStorePort<Content> {
  readonly #clock: ClockPort;
  readonly #issued: EndingRecords<IssuedSecret>;

  /** @param kind what the secrets are, for stores that keep records of them. */
  constructor(
    clock: ClockPort,
    records = new StoreRecords(),
    kind: 'ticket' | 'repair-code' = 'ticket',
  ) {
    this.#clock = clock;
    this.#issued = new EndingRecords(clock, records, kind, ({ owner }) => owner);
  }

  async save(secret: string, content: Content, bounds: OneTimeBounds): Promise<void> {
    const { owner, life, most } = bounds;
    const endsAt = this.#clock.now() + life;
    const issued = { content: JSON.stringify(content), owner, endsAt };
    this.#issued.add(digestOf(secret), issued, owner, most);
  }

  async take(secret: string): Promise<Content | undefined> {
    const digest = digestOf(secret);
    const { content, ...used } = this.#issued.find(digest) ?? {};
    if (content === undefined) return undefined;
    this.#issued.replace(digest, used as IssuedSecret);
    return JSON.parse(content) as Content;
  }
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
