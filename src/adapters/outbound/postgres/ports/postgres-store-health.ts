import type { StoreHealthPort } from '../../../../application/ports/store-health-port.ts';
import { isStoreUnavailable, PublicCause, storeUnavailable } from '../../../../domain/errors.ts';
import { BEHIND } from '../../../../domain/system/system.ts';
import { memoryStoreHealth, requireLoaded } from '../../memory/ports/memory-store-health.ts';
import type { RoomState } from '../../memory/room/memory-room.ts';
import { DatabaseError, type Database } from '../driver/database.ts';
import { isAway } from '../driver/watched-database.ts';
import type { LogLag } from '../log/log-lag.ts';
import type { PostgresStore } from '../postgres-store.ts';
import type { Rounds } from '../rounds/rounds.ts';

/** The store is available once its records have been read, while the server answers and takes changes. */
export function postgresStoreHealth(
  store: Pick<PostgresStore, 'loaded'>,
  rounds: Rounds,
  database: Database,
  lag: Pick<LogLag, 'ms'>,
  room: RoomState,
): StoreHealthPort {
  const isReadOnly = async (): Promise<boolean> => {
    const [row] = await database.query<{ readonly standby: boolean }>(
      'SELECT pg_is_in_recovery() AS standby',
    );
    return row?.standby === true;
  };
  // A read waits for the store no longer than STORE_PATIENCE.
  const isStandby = (): Promise<boolean> =>
    rounds.read(isReadOnly).catch((error: unknown) => {
      if (!isStoreUnavailable(error)) throw error;
      throw storeUnavailable(new PublicCause(publicReason(error.cause, lag.ms)));
    });
  return memoryStoreHealth(room, async () => {
    requireLoaded(store.loaded);
    if (await isStandby()) throw storeUnavailable(new PublicCause('it is read-only'));
  });
}

/** The readiness check needs no token, so its reason names no address, no user and no table. */
function publicReason(cause: unknown, lag: number): string {
  const state = cause instanceof DatabaseError ? cause.state : undefined;
  if (state === undefined && lag >= BEHIND) {
    return `this replica is ${Math.floor(lag / 1000)} s behind its log`;
  }
  if (!(cause instanceof DatabaseError)) return 'it did not answer in time';
  if (state !== undefined) return isAway(cause) ? cause.message : `SQLSTATE ${state}`;
  const { syscall, code } = (cause.cause ?? {}) as { syscall?: unknown; code?: unknown };
  if (typeof syscall === 'string') return `${syscall} ${String(code)}`;
  return typeof code === 'string' ? code : 'its connection was lost';
}
