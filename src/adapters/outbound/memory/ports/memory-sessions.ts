/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { SessionStorePort } from '../../../../application/ports/session-store-port.ts';
import type { Session } from '../../../../domain/access/session.ts';
import { StoreRecords } from '../records/store-records.ts';
import { EndingRecords } from './ending-records.ts';

interface StoredSession {
  readonly session: Session;
  /** Epoch ms. */
  readonly endsAt: number;
}

/** Sessions in the memory of this process, by their digests. */
export class MemorySessions implements SessionStorePort {
  readonly #clock: ClockPort;
  readonly #sessions: EndingRecords<StoredSession>;

  constructor(clock: ClockPort, records = new StoreRecords()) {
    this.#clock = clock;
    this.#sessions = new EndingRecords(clock, records, 'session', ({ session }) => session.holder);
  }

  async create(session: Session, life: number, most: number): Promise<void> {
    const endsAt = this.#clock.now() + life;
    this.#sessions.add(session.sha256, { session, endsAt }, session.holder, most);
  }

  async find(sha256: string): Promise<Session | undefined> {
    return this.#sessions.find(sha256)?.session;
  }

  async replace(session: Session): Promise<void> {
    const stored = this.#sessions.find(session.sha256);
    if (stored !== undefined) this.#sessions.replace(session.sha256, { ...stored, session });
  }

  async ofHolder(holder: string): Promise<readonly Session[]> {
    return this.#sessions.of(holder).map(({ session }) => session);
  }

  async remove({ sha256 }: Session): Promise<boolean> {
    if (this.#sessions.find(sha256) === undefined) return false;
    this.#sessions.remove(sha256);
    return true;
  }
}
