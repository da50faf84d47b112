import type { StoreHealthPort } from '../../../../application/ports/store-health-port.ts';
import { isStoreUnavailable, PublicCause, storeUnavailable } from '../../../../domain/errors.ts';
import { BEHIND } from '../../../../domain/system/system.ts';
import { MemoryStoreHealth } from '../../memory/ports/memory-store-health.ts';
import type { RoomState } from '../../memory/room/memory-room.ts';
import { DatabaseError, type Database } from '../driver/database.ts';
import { isAway } from '../driver/watched-database.ts';
import type { LogLag } from '../log/log-lag.ts';
import type { Rounds } from '../rounds/rounds.ts';

/** The state of the store that its health depends on. */
export interface LoadedReplica {
  /** The part of the records that have been read, from 0 to 1. */
  readonly loaded: number;
}

/** The store is available once its records have been read, while the server answers and takes changes. */
export class PostgresStoreHealth extends MemoryStoreHealth implements StoreHealthPort {
  readonly #store: LoadedReplica;
  readonly #rounds: Rounds;
  readonly #database: Database;
  readonly #lag: Pick<LogLag, 'ms'>;

  constructor(
    store: LoadedReplica,
    rounds: Rounds,
    database: Database,
    lag: Pick<LogLag, 'ms'>,
    room: RoomState,
  ) {
    super(room);
    this.#store = store;
    this.#rounds = rounds;
    this.#database = database;
    this.#lag = lag;
  }

  override async check(): Promise<void> {
    const { loaded } = this.#store;
    if (loaded < 1) {
      const reason = `${Math.floor(100 * loaded)} % of its records are loaded`;
      throw storeUnavailable(new PublicCause(reason));
    }
    if (await this.#isStandby()) throw storeUnavailable(new PublicCause('it is read-only'));
  }

  /** A read waits for the store no longer than STORE_PATIENCE. */
  async #isStandby(): Promise<boolean> {
    try {
      return await this.#rounds.read(() => this.#isReadOnly());
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      throw storeUnavailable(new PublicCause(publicReason(error.cause, this.#lag.ms)));
    }
  }

  async #isReadOnly(): Promise<boolean> {
    const [row] = await this.#database.query<{ readonly standby: boolean }>(
      'SELECT pg_is_in_recovery() AS standby',
    );
    return row?.standby === true;
  }
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
