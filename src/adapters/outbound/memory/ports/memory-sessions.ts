/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { SessionStorePort } from '../../../../application/ports/session-store-port.ts';
import type { Session } from '../../../../domain/access/session.ts';
import type { StoreRecords } from '../records/store-records.ts';
import { EndingRecords } from './ending-records.ts';

interface StoredSession {
  readonly session: Session;
  /** Epoch ms. */
  readonly endsAt: number;
}

/** Sessions in the memory of this process, by their digests. */
export function memorySessions(clock: ClockPort, records: StoreRecords): SessionStorePort {
  const sessions = new EndingRecords<StoredSession>(
    clock,
    records,
    'session',
    ({ session }) => session.holder,
  );
  return {
    create: async (session, life, most) => {
      const endsAt = clock.now() + life;
      sessions.add(session.sha256, { session, endsAt }, session.holder, most);
    },
    find: async (sha256) => sessions.find(sha256)?.session,
    change: async (sha256, change) => {
      const stored = sessions.find(sha256);
      if (stored === undefined) return undefined;
      const session = change(stored.session);
      if (session !== undefined) sessions.replace(sha256, { ...stored, session });
      return session ?? stored.session;
    },
    ofHolder: async (holder) => sessions.of(holder).map(({ session }) => session),
    remove: async ({ sha256 }) => {
      if (sessions.find(sha256) === undefined) return false;
      sessions.remove(sha256);
      return true;
    },
  };
}
