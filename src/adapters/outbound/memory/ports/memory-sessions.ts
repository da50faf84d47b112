/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { SessionStorePort } from '../../../../application/ports/session-store-port.ts';
import type { Session } from '../../../../domain/access/session.ts';

interface StoredSession {
  readonly session: Session;
  /** Epoch ms. */
  readonly endsAt: number;
}

/** Sessions in the memory of this process. */
export class MemorySessions implements SessionStorePort {
  readonly #clock: ClockPort;
  readonly #sessions = new Map<string, StoredSession>();

  constructor(clock: ClockPort) {
    this.#clock = clock;
  }

  async create(session: Session, life: number): Promise<void> {
    const now = this.#clock.now();
    for (const [sha256, { endsAt }] of this.#sessions) {
      if (endsAt <= now) this.#sessions.delete(sha256);
    }
    this.#sessions.set(session.sha256, { session, endsAt: now + life });
  }

  async find(sha256: string): Promise<Session | undefined> {
    return this.#stored(sha256)?.session;
  }

  async replace(session: Session): Promise<void> {
    const stored = this.#stored(session.sha256);
    if (stored !== undefined) this.#sessions.set(session.sha256, { ...stored, session });
  }

  async ofHolder(holder: string): Promise<readonly Session[]> {
    const now = this.#clock.now();
    return [...this.#sessions.values()].flatMap(({ session, endsAt }) =>
      session.holder === holder && endsAt > now ? [session] : [],
    );
  }

  async remove({ sha256 }: Session): Promise<boolean> {
    return this.#stored(sha256) !== undefined && this.#sessions.delete(sha256);
  }

  #stored(sha256: string): StoredSession | undefined {
    const stored = this.#sessions.get(sha256);
    return stored !== undefined && stored.endsAt > this.#clock.now() ? stored : undefined;
  }
}
