import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { storeUnavailable } from '../../../../domain/errors.ts';
import { boundedPieces } from '../../../../domain/values/pieces.ts';
import { MOST_IN_PIECE } from '../../memory/ports/steps.ts';
import { keyText, readId } from '../../memory/records/record-ids.ts';
import type { RecordChange, RecordKey, StoredRecord } from '../../memory/records/record.ts';
import type { Database, Session } from '../driver/database.ts';
import { changesText, latestChanges, type LogEntry } from '../log/log-entry.ts';
import { CommitLostError } from '../log/commit-lost-error.ts';
import { LogLostError } from '../log/log-lost-error.ts';
import { ROUND_PATIENCE } from '../log/round-patience.ts';
import { Call } from './call.ts';
import { NotedSession } from './noted-session.ts';
import type { ReplicaMemory } from './replica-memory.ts';
import { RoundInDoubt } from './round-in-doubt.ts';

/** The pause (ms) before a round that did not begin is tried again. */
const PAUSE = 50;

/** The log as rounds use it. */
export interface RoundLog {
  /** See `SharedLog`. */
  after(round: number): Promise<readonly LogEntry[]>;
  begin(session: Session, round: number): Promise<readonly LogEntry[]>;
  commit(session: Session, entry: LogEntry): Promise<void>;
  end(session: Session, isUsed: boolean): Promise<void>;
  endAbandoned(): Promise<void>;
  current(session: Session, keys: readonly RecordKey[]): Promise<readonly StoredRecord[]>;
}

/** The calls that a round has to answer. */
interface RoundCalls {
  readonly changes: Call<[Session]>[];
  readonly reads: Call<[]>[];
}

/** What is done after rounds of a replica. */
export interface RoundListener {
  /** A round changed something. @param length of the text of its changes. @param hadPiece of a large request. */
  committed(length: number, hadPiece: boolean): void;
  /** The memory has all rounds as of a time. @param at as `performance.now()` has it. */
  caughtUp(at: number): void;
  /** The replica cannot follow the log any more: the process has to end. */
  failed(error: Error): void;
}

/**
 * The rounds of one replica. A round that changes something has the log for itself: it takes what the others changed,
 * runs the steps that wait, appends what these changed, and answers once that is committed. A round that only reads
 * takes what the others changed until now. So every call sees what was answered before it anywhere, and no call sees
 * what is not stored.
 */
export class Rounds {
  readonly #database: Pick<Database, 'session'>;
  readonly #log: RoundLog;
  readonly #memory: ReplicaMemory;
  readonly #replica: string;
  readonly #listener: RoundListener;
  #changes: Call<[Session]>[] = [];
  /** The pieces of large requests. */
  #pieces: Call<[Session]>[] = [];
  /** Whether the last round had a piece: others have the next one. */
  #hadPiece = false;
  #reads: Call<[]>[] = [];
  #isRunning = false;
  #isOpen = false;
  /** The steps of the round that runs, until they are stored. */
  #unstored: Promise<void> | undefined;
  /** The last round that is in memory. */
  #position = 0;
  /** The last round, unless its steps ran and were stored. */
  #doubt: RoundInDoubt | undefined;

  constructor(
    database: Pick<Database, 'session'>,
    log: RoundLog,
    memory: ReplicaMemory,
    replica: string,
    listener: RoundListener,
  ) {
    this.#database = database;
    this.#log = log;
    this.#memory = memory;
    this.#replica = replica;
    this.#listener = listener;
  }

  /** To be called once the memory is that of a round. */
  open(position: number): void {
    this.#position = position;
    this.#isOpen = true;
  }

  /** Calls are refused from now on; those that run end. */
  close(): void {
    this.#isOpen = false;
  }

  get position(): number {
    return this.#position;
  }

  /**
   * Runs steps in a round of their own or of others. They change the memory in steps before their promise resolves.
   *
   * @param run may read and write other tables in the transaction of the round.
   * @throws DomainError `store-unavailable` when nothing is stored, the same with `mayBeStored` when the connection broke
   * in the commit, or whatever the steps throw.
   */
  change<Answer>(run: (session: Session) => Answer | Promise<Answer>): Promise<Answer> {
    return this.#call(this.#changes, run);
  }

  /**
   * Runs a piece of a large request as `change` does. Of these a round has at most one, and after a round with one those
   * that wait for something else come first.
   */
  changePiece<Answer>(run: (session: Session) => Answer | Promise<Answer>): Promise<Answer> {
    return this.#call(this.#pieces, run);
  }

  /** Runs what reads the memory, once it has all that was answered anywhere before. @throws DomainError */
  read<Answer>(run: () => Answer | Promise<Answer>): Promise<Answer> {
    return this.#call(this.#reads, run);
  }

  /**
   * Resolves once all that is in memory is stored, for a read that goes on while a later round runs; undefined when it is
   * by now.
   *
   * @throws DomainError `store-unavailable` when it may not be.
   */
  stored(): Promise<void> | undefined {
    return this.#unstored?.catch((error: unknown) => {
      throw storeUnavailable(error);
    });
  }

  /** Resolves once it is known of all rounds that ran whether they are stored. */
  async known(): Promise<void> {
    await this.#doubt?.known;
  }

  #call<Answer, Given extends readonly unknown[]>(
    calls: Call<Given>[],
    run: (...given: Given) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    if (!this.#isOpen) return Promise.reject(storeUnavailable(new Error('the store is not open')));
    return new Promise((resolve, reject) => {
      calls.push(new Call(run, resolve as (answer: unknown) => void, reject));
      if (!this.#isRunning) void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    while (this.#isNeeded) {
      const isChanging = this.#changes.length > 0 || this.#isPieceDue || this.#doubt !== undefined;
      const calls: RoundCalls = { changes: [], reads: [] };
      const patienceEnds = performance.now() + ROUND_PATIENCE;
      try {
        await (isChanging ? this.#changing(calls) : this.#reading(calls));
      } catch (error) {
        if (error instanceof LogLostError) {
          this.#end(error, calls);
          this.#listener.failed(error);
          break;
        }
        if (!this.#isOpen) {
          this.#end(error, calls);
          break;
        }
        if (performance.now() > patienceEnds) this.#log.endAbandoned().catch(() => undefined);
        // What has not run yet changed nothing: it may run in the next round.
        this.#changes = delayed([...calls.changes, ...this.#changes], error);
        this.#reads = delayed([...calls.reads, ...this.#reads], error);
        await sleep(PAUSE);
      }
    }
    this.#isRunning = false;
  }

  get #isNeeded(): boolean {
    const waiting = this.#changes.length + this.#pieces.length + this.#reads.length;
    return waiting > 0 || this.#doubt?.isAwaited === true;
  }

  get #isPieceDue(): boolean {
    if (this.#pieces.length === 0) return false;
    return !this.#hadPiece || this.#changes.length + this.#reads.length === 0;
  }

  /** Answers all that still wait. */
  #end(error: unknown, { changes, reads }: RoundCalls): void {
    this.close();
    this.#doubt?.giveUp(error);
    const waiting = [this.#changes, this.#pieces, this.#reads].flatMap((calls) => calls.splice(0));
    for (const call of [...changes, ...reads, ...waiting]) call.fail(error);
  }

  /** All that wait by now have their answers from this round, but of the pieces at most one. */
  #admitTo(calls: RoundCalls): void {
    const piece = this.#isPieceDue ? this.#pieces.splice(0, 1) : [];
    this.#hadPiece = piece.length > 0;
    calls.changes.push(...this.#changes.splice(0), ...piece);
    calls.reads.push(...this.#reads.splice(0));
  }

  async #reading(calls: RoundCalls): Promise<void> {
    // Reads of one turn of the event loop share a look at the log, which has to begin after them.
    await turn();
    this.#hadPiece = false;
    calls.reads.push(...this.#reads.splice(0));
    const startedAt = performance.now();
    const entries = await this.#log.after(this.#position);
    await this.#take(entries);
    this.#listener.caughtUp(startedAt);
    this.#runReads(calls.reads);
  }

  async #changing(calls: RoundCalls): Promise<void> {
    await this.#database.session(async (session) => {
      const entries = await this.#log.begin(session, this.#position);
      await this.#take(await this.#withDoubtful(session, entries));
      this.#resolveDoubt(entries);
      this.#listener.caughtUp(performance.now());
      // Nobody else can change anything by now, so that those which came since the round began join it.
      this.#admitTo(calls);
      const steps = this.#steps(session, calls.changes);
      this.#unstored = steps;
      await steps.finally(() => (this.#unstored = undefined));
      // Whoever reads after sending a change sees it, as on one connection.
      this.#runReads(calls.reads);
    }, ROUND_PATIENCE);
  }

  async #steps(session: Session, calls: readonly Call<[Session]>[]): Promise<void> {
    const due = calls.filter(({ isDue }) => isDue);
    for (const call of due) call.awaitCommit();
    const noted = new NotedSession(session);
    await Promise.all(due.map((call) => call.run(noted)));
    // Reading what a piece changed takes as long as its step.
    if (this.#hadPiece) await turn();
    const changed = this.#changed();
    try {
      if (changed.length > 0) await this.#store(session, changed, due);
    } catch (error) {
      if (!(error instanceof CommitLostError)) for (const call of due) call.fail(error);
      throw error;
    }
    for (const call of due) call.answer();
    if (changed.length === 0) {
      this.#memory.endSteps(true, changed, this.#position);
      await this.#log.end(session, noted.isUsed);
    }
  }

  /** @throws LogLostError when the memory is ahead of the log, and what it is ahead by cannot be stored. */
  #changed(): readonly RecordChange[] {
    try {
      return this.#memory.takeChanges();
    } catch (error) {
      throw new LogLostError(`What a round changed cannot be written: ${(error as Error).message}`);
    }
  }

  async #store(
    session: Session,
    changed: readonly RecordChange[],
    calls: readonly Call<[Session]>[],
  ): Promise<void> {
    const changes = changesText(changed);
    const entry = { round: this.#position + 1, replica: this.#replica, changes };
    try {
      await this.#log.commit(session, entry);
    } catch (error) {
      this.#doubt = new RoundInDoubt(entry, changed, calls);
      if (error instanceof CommitLostError) this.#doubt.doubt(error.cause);
      this.#memory.endSteps(false, changed, entry.round);
      throw error;
    }
    this.#position = entry.round;
    this.#memory.endSteps(true, changed, entry.round);
    this.#listener.committed(changes.length, this.#hadPiece);
  }

  #runReads(reads: readonly Call<[]>[]): void {
    for (const read of reads) {
      if (read.isDue) void read.run().then(() => read.answer());
    }
  }

  /** To be called once nobody else can add a round. */
  #resolveDoubt(entries: readonly LogEntry[]): void {
    const doubt = this.#doubt;
    this.#doubt = undefined;
    if (doubt?.resolve(entries) === true) this.#listener.committed(doubt.length, false);
  }

  /** Adds the records of a doubtful round as they are stored, so that the memory is that of the log again. */
  async #withDoubtful(
    session: Session,
    entries: readonly LogEntry[],
  ): Promise<readonly LogEntry[]> {
    if (this.#doubt === undefined) return entries;
    const { keys } = this.#doubt;
    const stored = await this.#log.current(session, keys);
    const values = new Map(stored.map((record) => [keyText(record), record.value]));
    const changes = keys.map((key) => ({ ...key, value: values.get(keyText(key)) }));
    const round = entries.at(-1)?.round ?? this.#position;
    const read = { round, isOfSeveral: true, replica: '' } as const;
    return [...entries, { ...read, changes: changesText(changes.map(asChange)) }];
  }

  /** In turns: rounds of others may be large, or many. */
  async #take(entries: readonly LogEntry[]): Promise<void> {
    const most = { size: MOST_IN_PIECE.characters };
    const pieces = boundedPieces(entries, ({ changes }) => changes.length, most);
    for (const [index, some] of pieces.entries()) {
      if (index > 0) await turn();
      const changes = latestChanges(some);
      // Taking what a large round changed takes as long as reading it.
      if (changes.length > MOST_IN_PIECE.jobs) await turn();
      const round = some.at(-1)?.round ?? this.#position;
      this.#memory.take(changes, round);
      this.#position = round;
    }
  }
}

function delayed<Given extends readonly unknown[]>(
  calls: readonly Call<Given>[],
  cause: unknown,
): Call<Given>[] {
  const due = calls.filter(({ isDue }) => isDue);
  for (const call of due) call.delay(cause);
  return due;
}

/** Queues as they are in memory: they are written again with the change. */
function asChange({
  kind,
  queue,
  id,
  value,
}: RecordKey & { readonly value: string | undefined }): RecordChange {
  return { kind, queue: readId(queue), id, value };
}
