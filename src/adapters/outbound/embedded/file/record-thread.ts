import { setImmediate as turn } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { collectGarbageOfStart } from '../../../shared/garbage-of-start.ts';
import type { DatabaseDriver } from './database.ts';
import * as ownDriver from './open-database.ts';
import { dividedChanges, joined, type JoinedRecords } from './joined-records.ts';
import { RecordStore } from './record-store.ts';
import type { FoundValues, RecordGroups, StoredRecord } from '../../memory/records/record.ts';
import { toErrorMessage, type ErrorMessage } from './store-errors.ts';

const SYNC_INTERVAL = 1000;

/** How long (ms) nobody must have written before the database is written anew, if that is due. */
const QUIET = 2000;

/** The methods of the thread of a file. A message calls one by its name, with its arguments. */
export type ThreadMethods = Omit<RecordThread, 'answer' | 'rest'>;

export interface ThreadCall {
  readonly number: number;
  readonly name: keyof ThreadMethods;
  readonly given: readonly unknown[];
}

export interface ThreadAnswer {
  readonly number: number;
  readonly result?: unknown;
  readonly error?: ErrorMessage;
}

/** How many records an opened store has, whether its disk has room for writes, and whether all is checked as it is read. */
export type OpenedStore = Pick<RecordStore, 'count' | 'hasRoom' | 'isSmall'>;

/** Serves the file, one call after the other; only a backup lets others in between. */
class RecordThread {
  #opened: RecordStore | undefined;
  #reader: { next(): readonly StoredRecord[] } | undefined;
  #checker: { next(): readonly StoredRecord[] } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isBackupEnded = false;
  #lastWrite = 0;

  /** @param driver the module of the driver, if it is not the one that suits this Node.js. */
  async open(folder: string, driver: string | undefined): Promise<OpenedStore> {
    const module = driver === undefined ? ownDriver : ((await import(driver)) as DatabaseDriver);
    const store = await RecordStore.open(folder, module);
    this.#opened = store;
    this.#timer = setInterval(() => {
      void store.syncAcknowledged();
      store.clearLog();
      if (performance.now() - this.#lastWrite > QUIET) store.vacuum();
    }, SYNC_INTERVAL);
    collectGarbageOfStart();
    const { count, hasRoom, isSmall } = store;
    return { count, hasRoom, isSmall };
  }

  get #store(): RecordStore {
    if (this.#opened === undefined) throw new Error('The store is closed');
    return this.#opened;
  }

  read(): readonly JoinedRecords[] {
    return joined((this.#reader ??= this.#store.reader()).next());
  }

  /** @returns whether that was the last piece. */
  check(): boolean {
    return (this.#checker ??= this.#store.checker()).next().length === 0;
  }

  find(groups: RecordGroups, most: number): FoundValues {
    return this.#store.find(groups, most);
  }

  /** @returns whether the disk has room for another write. */
  write(changes: readonly JoinedRecords[]): boolean {
    this.#lastWrite = performance.now();
    this.#store.write(dividedChanges(changes));
    return this.#store.hasRoom;
  }

  mend(): boolean {
    return this.#store.mend();
  }

  scrub(): void {
    this.#store.scrub();
  }

  backup(path: string): Promise<void> {
    this.#isBackupEnded = false;
    return this.#store.backup(path, async () => {
      await turn();
      if (this.#isBackupEnded) throw new Error('The backup was ended');
    });
  }

  endBackup(): void {
    this.#isBackupEnded = true;
  }

  close(): void {
    const store = this.#store;
    clearInterval(this.#timer);
    this.#opened = undefined;
    store.close();
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- async turns what a method throws into a rejection
  async answer({ name, given }: ThreadCall): Promise<unknown> {
    return (this[name] as (...given: readonly unknown[]) => unknown)(...given);
  }

  /** Tidies the database. Called while no request waits for an answer. */
  rest(): void {
    this.#opened?.tidy();
  }
}

/** Calls in their order, but reads after all others: nobody may keep writes waiting by reads. */
class WaitingCalls {
  readonly #first: ThreadCall[] = [];
  readonly #reads: ThreadCall[] = [];

  add(call: ThreadCall): void {
    (call.name === 'find' ? this.#reads : this.#first).push(call);
  }

  next(): ThreadCall | undefined {
    return this.#first.shift() ?? this.#reads.shift();
  }
}

const thread = new RecordThread();
const waiting = new WaitingCalls();

function answer(call: ThreadCall): void {
  const { number } = call;
  const send = (content: Omit<ThreadAnswer, 'number'>) => {
    parentPort?.postMessage({ number, ...content });
  };
  thread.answer(call).then(
    (result) => {
      send({ result });
      thread.rest();
    },
    (error: unknown) => send({ error: toErrorMessage(error) }),
  );
}

/** Others arrive in the turn of the event loop after each answer: a write waits for one read, or two at most. */
async function answerAll(): Promise<void> {
  for (let next = waiting.next(); next !== undefined; next = waiting.next()) {
    answer(next);
    await turn();
  }
}

let answering: Promise<void> | undefined;

parentPort?.on('message', (call: ThreadCall) => {
  waiting.add(call);
  answering ??= answerAll().finally(() => {
    answering = undefined;
  });
});
