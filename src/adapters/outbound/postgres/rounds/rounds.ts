import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { STORE_PATIENCE } from '../../../../application/ports/store-patience.ts';
import { storeUnavailable } from '../../../../domain/errors.ts';
import { readId, writtenId } from '../../memory/records/record-ids.ts';
import type { RecordChange, RecordKey } from '../../memory/records/record.ts';
import type { FindsRecords } from '../../memory/records/ended-jobs.ts';
import type { Database, Session } from '../driver/database.ts';
import {
  changesText,
  inOrder,
  keyText,
  latestChanges,
  type LogEntry,
  type LoggedChange,
} from '../log/log-entry.ts';
import { LogLostError } from '../log/log-lost-error.ts';
import type { FoldedRecord } from '../log/shared-log.ts';
import type { ReplicaMemory } from './replica-memory.ts';

/** How long (ms) one round may take before its connection is ended, so that it fails: no other begins before that. */
const ROUND_PATIENCE = 5000;

/** The pause (ms) before a round that did not begin is tried again. */
const PAUSE = 50;

/** The log as rounds use it. */
export interface RoundLog extends FindsRecords {
  /** See `SharedLog`. */
  after(round: number): Promise<readonly LogEntry[]>;
  begin(session: Session, round: number): Promise<readonly LogEntry[]>;
  commit(session: Session, entry: LogEntry): Promise<void>;
  end(session: Session): Promise<void>;
  current(session: Session, keys: readonly RecordKey[]): Promise<readonly FoldedRecord[]>;
}

/** A caller of a port. `Given` is what its steps are given. */
class Call<Given extends readonly unknown[]> {
  readonly #run: (...given: Given) => unknown;
  readonly #resolve: (answer: unknown) => void;
  readonly #reject: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #isOver = false;
  #hasRun = false;
  /** Why it did not run in a round that was tried before. */
  #cause: unknown;

  constructor(
    run: (...given: Given) => unknown,
    resolve: (answer: unknown) => void,
    reject: (error: unknown) => void,
  ) {
    this.#run = run;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(() => {
      this.fail(this.#cause ?? new Error('the store did not answer in time'));
    }, STORE_PATIENCE);
  }

  /** Whether it is still to run: nobody waits for it any more after STORE_PATIENCE. */
  get isDue(): boolean {
    return !this.#isOver && !this.#hasRun;
  }

  /** @param cause why it has not run yet. */
  delay(cause: unknown): void {
    this.#cause = cause;
  }

  /** Runs it. @returns what answers the caller, to be called once what it changed is stored. */
  async run(...given: Given): Promise<() => void> {
    this.#hasRun = true;
    try {
      const answer = await this.#run(...given);
      return () => {
        if (this.#end()) this.#resolve(answer);
      };
    } catch (error) {
      return () => {
        if (this.#end()) this.#reject(error);
      };
    }
  }

  fail(error: unknown): void {
    if (this.#end()) this.#reject(storeUnavailable(error));
  }

  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    clearTimeout(this.#timer);
    return true;
  }
}

/** The calls that a round has to answer. */
interface RoundCalls {
  readonly changes: Call<[Session]>[];
  readonly reads: Call<[]>[];
}

/** What is done after rounds of a replica. */
export interface RoundListener {
  /** A round changed something. @param length of the text of its changes. */
  committed(length: number): void;
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
  /** The records of rounds whose steps ran, and of which it is not known whether they were committed. */
  #doubtful = new Map<string, RecordKey>();

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
   * @throws DomainError `store-unavailable` when they may or may not be stored, or whatever the steps throw.
   */
  change<Answer>(run: (session: Session) => Answer | Promise<Answer>): Promise<Answer> {
    return this.#call(this.#changes, run);
  }

  /**
   * Runs a piece of a large request as `change` does. Of these a round has at most one, and after a round with one those
   * that wait for something else come first.
   */
  changePiece<Answer>(run: () => Answer | Promise<Answer>): Promise<Answer> {
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
    while (this.#changes.length + this.#reads.length + this.#pieces.length > 0) {
      const isChanging = this.#changes.length > 0 || this.#isPieceDue || this.#doubtful.size > 0;
      const calls: RoundCalls = { changes: [], reads: [] };
      try {
        await (isChanging ? this.#changing(calls) : this.#reading(calls));
      } catch (error) {
        if (error instanceof LogLostError) {
          this.#fail(error, calls);
          break;
        }
        // What has not run yet changed nothing: it may run in the next round.
        for (const call of calls.changes) if (!call.isDue) call.fail(error);
        this.#changes = delayed([...calls.changes, ...this.#changes], error);
        this.#reads = delayed([...calls.reads, ...this.#reads], error);
        await sleep(PAUSE);
      }
    }
    this.#isRunning = false;
  }

  #fail(error: LogLostError, { changes, reads }: RoundCalls): void {
    this.close();
    const waiting = [this.#changes, this.#pieces, this.#reads].flatMap((calls) => calls.splice(0));
    for (const call of [...changes, ...reads, ...waiting]) call.fail(error);
    this.#listener.failed(error);
  }

  get #isPieceDue(): boolean {
    if (this.#pieces.length === 0) return false;
    return !this.#hadPiece || this.#changes.length + this.#reads.length === 0;
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
    const entries = await this.#log.after(this.#position);
    await this.#take(entries);
    this.#runReads(calls.reads);
  }

  async #changing(calls: RoundCalls): Promise<void> {
    await this.#database.session(async (session) => {
      const entries = await this.#log.begin(session, this.#position);
      await this.#take(await this.#withDoubtful(session, entries));
      this.#doubtful.clear();
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
    const answers = await Promise.all(due.map((call) => call.run(session)));
    const changed = this.#memory.takeChanges();
    const changes = changed.length > 0 ? changesText(changed) : '';
    const entry = { round: this.#position + 1, replica: this.#replica, changes };
    try {
      if (changed.length > 0) await this.#log.commit(session, entry);
    } catch (error) {
      for (const { kind, queue, id } of changed) {
        const key = { kind, queue: writtenId(queue), id };
        this.#doubtful.set(keyText(key), key);
      }
      this.#memory.endSteps(false, changed, entry.round);
      throw error;
    }
    if (changed.length > 0) this.#position = entry.round;
    this.#memory.endSteps(true, changed, entry.round);
    for (const answer of answers) answer();
    if (changed.length > 0) this.#listener.committed(changes.length);
    else await this.#log.end(session);
  }

  #runReads(reads: readonly Call<[]>[]): void {
    for (const read of reads) {
      if (read.isDue) void read.run().then((answer) => answer());
    }
  }

  /** Adds the records of doubtful rounds as they are stored, so that the memory is that of the log again. */
  async #withDoubtful(
    session: Session,
    entries: readonly LogEntry[],
  ): Promise<readonly LogEntry[]> {
    if (this.#doubtful.size === 0) return entries;
    const keys = [...this.#doubtful.values()];
    const stored = await this.#log.current(session, keys);
    const values = new Map(stored.map((record) => [keyText(record), record.value]));
    const changes = keys.map((key) => ({ ...key, value: values.get(keyText(key)) }));
    const round = entries.at(-1)?.round ?? this.#position;
    return [...entries, { round, replica: '', changes: changesText(changes.map(asChange)) }];
  }

  async #take(entries: readonly LogEntry[]): Promise<void> {
    const last = entries.at(-1);
    if (last === undefined) return;
    const changes = latestChanges(entries);
    const missing = this.#memory.withoutPayload(changes);
    const found = missing.length === 0 ? [] : await this.#payloads(missing);
    this.#memory.take(inOrder([...changes, ...found]), last.round);
    this.#position = last.round;
  }

  async #payloads(keys: readonly RecordKey[]): Promise<readonly LoggedChange[]> {
    const [values = []] = await this.#log.find([keys], Infinity);
    return keys.flatMap(({ kind, queue, id }, index) => {
      const value = values[index];
      const change = { kind: kind as LoggedChange['kind'], queue, id };
      return value === undefined ? [] : [{ ...change, value: JSON.parse(value) as unknown }];
    });
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
