import {
  DatabaseError,
  type Database,
  type Session,
} from '../../../src/adapters/outbound/postgres/driver/database.ts';
import type {
  LogEntry,
  LoggedChange,
} from '../../../src/adapters/outbound/postgres/log/log-entry.ts';
import { CommitLostError } from '../../../src/adapters/outbound/postgres/log/commit-lost-error.ts';
import type { RoundLog } from '../../../src/adapters/outbound/postgres/rounds/rounds.ts';
import { keyText, writtenId } from '../../../src/adapters/outbound/memory/records/record-ids.ts';
import type {
  FoundValues,
  RecordGroups,
  RecordKey,
  StoredRecord,
} from '../../../src/adapters/outbound/memory/records/record.ts';

/** Nothing is asked of it. */
const SESSION: Session = {
  query: () => Promise.resolve([]),
  script: () => Promise.resolve([]),
};

/** How a commit goes. */
interface Commit {
  readonly isStored?: boolean;
  /** When it ends. */
  readonly until?: Promise<void>;
  readonly isAnswered?: boolean;
}

/** The log that replicas share, and the records that are folded from it, without a server. */
export class LogInMemory implements RoundLog, Pick<Database, 'session'> {
  readonly #entries: LogEntry[] = [];
  readonly #folded = new Map<string, StoredRecord>();
  #foldedRound = 0;
  /** Whether no round can begin. */
  isAway = false;
  #last: Promise<unknown> = Promise.resolve();
  #isLosing = (): boolean => false;
  #commits: Commit[] = [];

  /** @param isLosing is asked whether the connection of a round breaks before it is committed. */
  loseWhen(isLosing: () => boolean): void {
    this.#isLosing = isLosing;
  }

  /** The next commits go as these do. */
  commitAs(...commits: readonly Commit[]): void {
    this.#commits.push(...commits);
  }

  /** One at a time, as the lock of the log has it. */
  session<Answer>(run: (session: Session) => Promise<Answer>): Promise<Answer> {
    const running = this.#last.then(() => run(SESSION));
    this.#last = running.catch(() => undefined);
    return running;
  }

  after(round: number): Promise<readonly LogEntry[]> {
    return Promise.resolve(this.#entries.filter((entry) => entry.round > round));
  }

  endAbandoned(): Promise<void> {
    return Promise.resolve();
  }

  async begin(_: Session, round: number): Promise<readonly LogEntry[]> {
    if (this.isAway) throw new DatabaseError('connect ECONNREFUSED', undefined, undefined);
    return this.after(round);
  }

  async commit(_: Session | undefined, entry: LogEntry): Promise<void> {
    if (this.#isLosing()) {
      throw new DatabaseError('The connection was lost', undefined, undefined);
    }
    const { isStored = true, until, isAnswered = true } = this.#commits.shift() ?? {};
    await until;
    if (isStored) this.#entries.push(entry);
    if (!isAnswered) throw new CommitLostError(new Error('The connection was lost'));
  }

  end(): Promise<void> {
    return Promise.resolve();
  }

  current(_: Session, keys: readonly RecordKey[]): Promise<readonly StoredRecord[]> {
    return this.latest(keys);
  }

  /** @param rounds those that changed the records since they were folded. */
  latest(keys: readonly RecordKey[], rounds?: readonly number[]): Promise<readonly StoredRecord[]> {
    if (rounds === undefined) this.fold();
    const records = new Map(this.#folded);
    for (const entry of this.#entries) if (rounds?.includes(entry.round)) apply(entry, records);
    const found = keys.map((key) => records.get(keyText(key)));
    return Promise.resolve(found.filter((record) => record !== undefined));
  }

  find(groups: RecordGroups): Promise<FoundValues> {
    const valueOf = ({ kind, queue, id }: RecordKey): string | undefined =>
      this.#folded.get(keyText({ kind, queue: writtenId(queue), id: writtenId(id) }))?.value;
    return Promise.resolve(groups.map((keys) => keys.map(valueOf)));
  }

  /** Folds all rounds. @returns the last one. */
  fold(): number {
    for (const entry of this.#entries) {
      if (entry.round <= this.#foldedRound) continue;
      this.#foldedRound = entry.round;
      apply(entry, this.#folded);
    }
    return this.#foldedRound;
  }

  /** The records as they are folded. */
  get records(): readonly StoredRecord[] {
    return [...this.#folded.values()];
  }
}

function apply({ changes }: LogEntry, records: Map<string, StoredRecord>): void {
  for (const { kind, queue, id, value } of JSON.parse(changes) as readonly LoggedChange[]) {
    const key = { kind, queue, id };
    if (value === null) records.delete(keyText(key));
    else records.set(keyText(key), { ...key, value: JSON.stringify(value) });
  }
}
