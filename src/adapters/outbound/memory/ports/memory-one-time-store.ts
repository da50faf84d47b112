/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type {
  OneTimeBounds,
  OneTimeStorePort,
} from '../../../../application/ports/one-time-store-port.ts';

interface IssuedSecret<Content> {
  /** Undefined once the secret is used. */
  content: Content | undefined;
  readonly owner: string;
  /** Epoch ms. */
  readonly endsAt: number;
}

/** Secrets in the memory of this process. */
export class MemoryOneTimeStore<Content> implements OneTimeStorePort<Content> {
  readonly #clock: ClockPort;
  /** In the order of issue, which is also that of expiry: all last equally long. */
  readonly #issued = new Map<string, IssuedSecret<Content>>();
  /** The secrets of each owner, in the same order. */
  readonly #owners = new Map<string, Set<string>>();

  constructor(clock: ClockPort) {
    this.#clock = clock;
  }

  async save(
    secret: string,
    content: Content,
    { owner, life, most }: OneTimeBounds,
  ): Promise<void> {
    const now = this.#clock.now();
    this.#forgetExpired(now);
    const own = this.#owners.get(owner) ?? new Set();
    const [oldest] = own;
    if (oldest !== undefined && own.size >= most) this.#forget(oldest, owner);
    this.#owners.set(owner, own.add(secret));
    this.#issued.set(secret, { content: structuredClone(content), owner, endsAt: now + life });
  }

  async take(secret: string): Promise<Content | undefined> {
    this.#forgetExpired(this.#clock.now());
    const issued = this.#issued.get(secret);
    if (issued === undefined) return undefined;
    const { content } = issued;
    issued.content = undefined;
    return content;
  }

  #forgetExpired(now: number): void {
    for (const [secret, { owner, endsAt }] of this.#issued) {
      if (endsAt > now) return;
      this.#forget(secret, owner);
    }
  }

  #forget(secret: string, owner: string): void {
    this.#issued.delete(secret);
    const own = this.#owners.get(owner);
    own?.delete(secret);
    if (own?.size === 0) this.#owners.delete(owner);
  }
}
