/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { SessionStorePort } from '../../../../application/ports/session-store-port.ts';
import type { RecordChanges } from '../records/record-changes.ts';
import { StoreRecords } from '../records/store-records.ts';
import type { Session } from '../../../../domain/access/session.ts';

interface StoredSession {
  readonly session: Session;
  /** Epoch ms. */
  readonly endsAt: number;
}

/** Sessions in the memory of this process. */
export class MemorySessions implements SessionStorePort {
  readonly #clock: ClockPort;
  readonly #changes: RecordChanges;
  /** By their digests, in the order in which they were opened. */
  readonly #sessions = new Map<string, StoredSession>();
  /** The digests of the sessions of each token by their ids, in the same order. */
  readonly #holders = new Map<string, Map<string, string>>();

  constructor(clock: ClockPort, records = new StoreRecords()) {
    this.#clock = clock;
    this.#changes = records.changes;
    const restored: StoredSession[] = [];
    records.keep('session', {
      read: (_, sha256) => this.#sessions.get(sha256),
      restore: (_queue, _id, record) => restored.push(record as StoredSession),
      replace: (_queue, sha256, record) => {
        const known = this.#sessions.get(sha256);
        if (record !== undefined) restored.push(record as StoredSession);
        else if (known !== undefined) this.#forget(known.session);
      },
      restored: () => {
        const inOrder = restored.splice(0).sort((one, other) => one.endsAt - other.endsAt);
        for (const stored of inOrder) this.#keep(stored);
      },
    });
  }

  async create(session: Session, life: number, most: number): Promise<void> {
    const now = this.#clock.now();
    // All sessions last equally long, so the first ones end first.
    for (const { session: first, endsAt } of this.#sessions.values()) {
      if (endsAt > now) break;
      this.#forget(first);
    }
    const held = this.#keep({ session, endsAt: now + life });
    this.#changes.note('session', '', session.sha256);
    const [oldest] = held.values();
    const excess = held.size > most ? this.#sessions.get(oldest ?? '') : undefined;
    if (excess !== undefined) this.#forget(excess.session);
  }

  async find(sha256: string): Promise<Session | undefined> {
    return this.#stored(sha256)?.session;
  }

  async findOf(holder: string, id: string): Promise<Session | undefined> {
    return this.#stored(this.#holders.get(holder)?.get(id))?.session;
  }

  async replace(session: Session): Promise<void> {
    const stored = this.#stored(session.sha256);
    if (stored === undefined) return;
    this.#sessions.set(session.sha256, { ...stored, session });
    this.#changes.note('session', '', session.sha256);
  }

  async ofHolder(holder: string): Promise<readonly Session[]> {
    const digests = [...(this.#holders.get(holder)?.values() ?? [])];
    return digests.flatMap((sha256) => this.#stored(sha256)?.session ?? []);
  }

  async remove(session: Session): Promise<boolean> {
    if (this.#stored(session.sha256) === undefined) return false;
    this.#forget(session);
    return true;
  }

  /** @returns the sessions of the same token, the oldest first. */
  #keep(stored: StoredSession): ReadonlyMap<string, string> {
    const { holder, id, sha256 } = stored.session;
    this.#sessions.set(sha256, stored);
    const held = this.#holders.get(holder) ?? new Map<string, string>();
    this.#holders.set(holder, held.set(id, sha256));
    return held;
  }

  #forget({ sha256, holder, id }: Session): void {
    this.#changes.note('session', '', sha256);
    this.#sessions.delete(sha256);
    const held = this.#holders.get(holder);
    held?.delete(id);
    if (held?.size === 0) this.#holders.delete(holder);
  }

  #stored(sha256: string | undefined): StoredSession | undefined {
    const stored = this.#sessions.get(sha256 ?? '');
    return stored !== undefined && stored.endsAt > this.#clock.now() ? stored : undefined;
  }
}
