import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { LoggerPort } from '../../../application/ports/logger-port.ts';
import type { Startable } from '../../../application/running/startable.ts';
import { DatabaseError, type Database } from './driver/database.ts';
import { isAway } from './driver/watched-database.ts';
import type { MemoryRoom } from '../memory/room/memory-room.ts';
import type { Inbox } from './inbox/inbox.ts';
import { readUnnamed } from '../memory/records/unnamed-jobs.ts';
import type { SharedLog } from './log/shared-log.ts';
import { Folding } from './log/folding.ts';
import { latestChanges } from './log/log-entry.ts';
import type { LogLag } from './log/log-lag.ts';
import { noticesOf, type Notices } from './notices.ts';
import type { PostgresSignals } from './ports/postgres-signals.ts';
import type { ReplicaMemory } from './rounds/replica-memory.ts';
import type { Rounds } from './rounds/rounds.ts';

/** The pause (ms) between two foldings of the log. */
const FOLD_INTERVAL = 1000;

/**
 * The length of the changes from which on they are folded at once: until then the values of jobs that ended stay in
 * memory, which many large results would fill within the interval.
 */
const MOST_UNFOLDED = 8 * 1024 * 1024;

/**
 * The share of the changes of large requests that counts towards that: folding these takes the processor from the next
 * round of the request, which others wait for.
 */
const SHARE_OF_PIECES = 1 / 8;

/** How many folded records a replica looks at in one turn of the event loop. */
const FOLDED_PER_TURN = 1000;

/** How often (ms) a replica asks itself whether it is behind. */
const LAG_INTERVAL = 1000;

/** How often (ms) a replica looks for rounds of others when it is not notified of them, and when it is. */
const LOOK_INTERVAL = { deaf: 100, listening: 1000 };

/** The pause (ms) before LISTEN is tried again that failed. */
const LISTEN_PAUSE = 5000;

/** The pause (ms) before a server that does not answer at the start is asked again. */
const START_PAUSE = 500;

/** The classes of SQLSTATEs of a server that is starting or stopping, or has no connection left. */
const PASSING = ['08', '53', '57'];

/** The parts of the store of one replica. */
export interface StoreParts {
  readonly database: Database;
  readonly schema: string;
  readonly log: SharedLog;
  readonly memory: ReplicaMemory;
  readonly rounds: Rounds;
  readonly inbox: Inbox;
  /** Publish how much room there is, for `add_jobs`. */
  readonly publishers: readonly (() => Promise<void>)[];
  readonly room: MemoryRoom;
  readonly lag: LogLag;
  readonly signals: PostgresSignals;
  readonly instance: string;
}

/**
 * The store of one replica on PostgreSQL (docs/adr/0034): the memory store, with a log that all replicas share.
 */
export class PostgresStore implements Startable {
  readonly name = 'PostgreSQL store';
  readonly #parts: StoreParts;
  readonly #logger: LoggerPort;
  readonly #prepare: () => Promise<void>;
  #read = 0;
  #count = 0;
  #isOpen = false;
  #notices: Notices | undefined;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #folding: Folding;
  #tidying: Promise<void> | undefined;
  /** The length of the changes that this replica appended since it last began to fold. */
  #unfolded = 0;

  /** @param prepare brings the schema up to date. */
  constructor(parts: StoreParts, logger: LoggerPort, prepare: () => Promise<void>) {
    this.#parts = parts;
    this.#logger = logger;
    this.#prepare = prepare;
    const { log, memory, rounds } = parts;
    this.#folding = new Folding(log, logger, async (folded) => {
      // Other replicas fold as well, possibly beyond what is in this memory.
      const round = Math.min(folded, rounds.position);
      while (memory.folded(round, FOLDED_PER_TURN)) await turn();
    });
  }

  /** The part of the records that have been read, from 0 to 1; less than 1 until the store can be used. */
  get loaded(): number {
    return this.#isOpen ? 1 : Math.min(0.99, this.#read / Math.max(1, this.#count));
  }

  /** Whether the server notifies this replica of the rounds of others, so that it need not poll for them. */
  get isListening(): boolean {
    return this.#notices?.isListening === true;
  }

  /** Whether the log is folded: it grows without end otherwise. */
  get isFolded(): boolean {
    return !this.#folding.isFailing;
  }

  async start(stopping: AbortSignal): Promise<void> {
    const { log, memory, rounds, inbox, lag, database, schema, signals, instance } = this.#parts;
    if (!(await this.#isReached(stopping))) return;
    const startedAt = performance.now();
    this.#count = await log.count();
    const { folded, entries } = await log.readAll((records) => {
      memory.restore(records);
      this.#read += records.length;
    }, stopping);
    if (stopping.aborted) return;
    await readUnnamed(memory.unnamed(), log, (found) => {
      memory.restore(found);
    });
    memory.restored();
    const position = entries.at(-1)?.round ?? folded;
    memory.take(latestChanges(entries), position);
    rounds.open(position);
    lag.caughtUp(performance.now());
    this.#parts.room.start();
    this.#isOpen = true;
    this.#notices = noticesOf(database, schema, instance, {
      changed: this.#look.bind(this),
      signalled: signals.received.bind(signals),
      added: inbox.heard.bind(inbox),
      missed: () => {
        signals.missed();
        this.#lookForAll();
      },
      deafened: this.#warnOfDeafness.bind(this, {}),
      heardAgain: () => {
        this.#logger.info('The server notifies this replica again');
      },
    });
    this.#listen(this.#notices);
    this.#repeat(FOLD_INTERVAL, this.#startTidying.bind(this));
    this.#repeat(LAG_INTERVAL, () => {
      void lag.watch();
    });
    this.#lookAgain();
    const duration = Math.round(performance.now() - startedAt);
    this.#logger.info('Opened the store', { schema, records: this.#read, duration });
  }

  /**
   * Brings the schema up to date, once the server can be reached.
   *
   * @returns false when the service stops before that.
   * @throws SchemaRefusedError
   */
  async #isReached(stopping: AbortSignal): Promise<boolean> {
    for (let tries = 0; !stopping.aborted; tries += 1) {
      try {
        await this.#prepare();
        return true;
      } catch (error) {
        if (!isPassing(error)) throw error;
        if (tries === 0) {
          const text = 'PostgreSQL does not answer at STORE_URI: waiting for it';
          this.#logger.warn(text, { reason: (error as Error).message });
        }
        await sleep(START_PAUSE, undefined, { signal: stopping }).catch(() => undefined);
      }
    }
    return false;
  }

  /** To be called after each round that changed something, as `RoundListener` says. */
  committed(length: number, hadPiece: boolean): void {
    this.#notices?.changed();
    this.#unfolded += hadPiece ? length * SHARE_OF_PIECES : length;
    if (this.#unfolded > MOST_UNFOLDED) this.#startTidying();
  }

  /** Sends a text to the signals of all replicas. */
  async notify(payload: string): Promise<void> {
    await this.#notices?.signal(payload);
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#isOpen = false;
    this.#parts.room.stop();
    this.#parts.rounds.close();
    // What still runs fails when its connection ends, also when the server does not answer.
    await this.#parts.database.close();
    await this.#tidying;
  }

  #listen(notices: Notices): void {
    notices.listen().catch((error: unknown) => {
      if (!isAway(error)) this.#warnOfDeafness({ error });
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        this.#listen(notices);
      }, LISTEN_PAUSE);
      if (this.#isOpen) this.#timers.add(timer);
      else clearTimeout(timer);
    });
  }

  #warnOfDeafness(more: { readonly error?: unknown }): void {
    this.#logger.warn('The server cannot notify this replica, which looks for changes instead', {
      interval: LOOK_INTERVAL.deaf,
      ...more,
    });
  }

  #look(): void {
    const { rounds, room } = this.#parts;
    rounds
      .read(() => undefined)
      .then(() => {
        room.look();
      })
      .catch(() => undefined);
  }

  /** Looks for what the server may not have notified this replica of. */
  #lookForAll(): void {
    this.#look();
    this.#parts.inbox.look().catch(() => undefined);
  }

  #lookAgain(): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        this.#lookForAll();
        this.#lookAgain();
      },
      this.isListening ? LOOK_INTERVAL.listening : LOOK_INTERVAL.deaf,
    );
    this.#timers.add(timer);
  }

  #repeat(interval: number, run: () => void): void {
    this.#timers.add(setInterval(run, interval));
  }

  #startTidying(): void {
    this.#tidying ??= this.#tidy().finally(() => {
      this.#tidying = undefined;
    });
  }

  /** Writes for the function `add_jobs` how much room there is. */
  async publish(): Promise<void> {
    for (const publish of this.#parts.publishers) {
      try {
        await publish();
      } catch (error) {
        this.#logger.debug('The room for adds by SQL could not be published', { error });
      }
    }
  }

  async #tidy(): Promise<void> {
    this.#unfolded = 0;
    await this.publish();
    await this.#folding.fold();
  }
}

/** Whether the same may succeed later, without anybody changing anything. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  const { state } = error;
  return state === undefined || PASSING.includes(state.slice(0, 2));
}
