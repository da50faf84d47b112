/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import { createHash } from 'node:crypto';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type {
  OneTimeBounds,
  OneTimeStorePort,
} from '../../../../application/ports/one-time-store-port.ts';
import type { KeyedRecords } from '../records/keyed-records.ts';
import { StoreRecords } from '../records/store-records.ts';

interface IssuedSecret {
  /** JSON text; undefined once the secret is used. */
  readonly content?: string;
  readonly owner: string;
  /** Epoch ms. */
  readonly endsAt: number;
}

/** Secrets in the memory of this process. */
export class MemoryOneTimeStore<Content> implements OneTimeStorePort<Content> {
  readonly #clock: ClockPort;
  /** By their digests, in the order of issue, which is also that of expiry: all last equally long. */
  readonly #issued: KeyedRecords<IssuedSecret>;
  /** The digests of the secrets of each owner, in the same order. */
  readonly #owners = new Map<string, Set<string>>();

  /** @param kind what the secrets are, for stores that keep records of them. */
  constructor(
    clock: ClockPort,
    records = new StoreRecords(),
    kind: 'ticket' | 'repair-code' = 'ticket',
  ) {
    this.#clock = clock;
    this.#issued = records.map(kind, (digest, issued, before) => {
      if (issued !== undefined) this.#note(digest, issued);
      else if (before !== undefined) this.#disown(digest, before.owner);
    });
  }

  async save(secret: string, content: Content, bounds: OneTimeBounds): Promise<void> {
    const { owner, life, most } = bounds;
    const now = this.#clock.now();
    this.#forgetExpired(now);
    const digest = digestOf(secret);
    const [oldest] = this.#owners.get(owner) ?? [];
    const count = this.#owners.get(owner)?.size ?? 0;
    if (oldest !== undefined && count >= most) this.#forget(oldest, owner);
    const issued = { content: JSON.stringify(content), owner, endsAt: now + life };
    this.#issued.put(digest, issued);
    this.#note(digest, issued);
  }

  async take(secret: string): Promise<Content | undefined> {
    this.#forgetExpired(this.#clock.now());
    const digest = digestOf(secret);
    const { content, ...used } = this.#issued.find(digest) ?? {};
    if (content === undefined) return undefined;
    this.#issued.put(digest, used as IssuedSecret);
    return JSON.parse(content) as Content;
  }

  #note(digest: string, { owner }: IssuedSecret): void {
    const own = this.#owners.get(owner) ?? new Set();
    this.#owners.set(owner, own.add(digest));
  }

  #forgetExpired(now: number): void {
    for (const digest of this.#issued.ids()) {
      const issued = this.#issued.find(digest);
      if (issued === undefined || issued.endsAt > now) return;
      this.#forget(digest, issued.owner);
    }
  }

  #forget(digest: string, owner: string): void {
    this.#issued.remove(digest);
    this.#disown(digest, owner);
  }

  #disown(digest: string, owner: string): void {
    const own = this.#owners.get(owner);
    own?.delete(digest);
    if (own?.size === 0) this.#owners.delete(owner);
  }
}

function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
