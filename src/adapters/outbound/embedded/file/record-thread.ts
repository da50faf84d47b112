import { setImmediate as turn } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { collectGarbageOfStart } from '../../../shared/garbage-of-start.ts';
import type { DatabaseDriver } from './database.ts';
import * as ownDriver from './open-database.ts';
import { dividedChanges, joined } from './joined-records.ts';
import { RecordStore } from './record-store.ts';
import type { StoredRecord } from '../../memory/records/record.ts';
import { toErrorMessage } from './store-errors.ts';
import type {
  OpenedStore,
  ThreadAnswer,
  ThreadRequest,
  ThreadSettings,
} from './thread-messages.ts';

const SYNC_INTERVAL = 1000;

/** How long (ms) nobody must have written before the database is written anew, if that is due. */
const QUIET = 2000;

/** Serves the file, one request after the other; only a backup lets others in between. */
class RecordThread {
  #store: RecordStore | undefined;
  #reader: { next(): readonly StoredRecord[] } | undefined;
  #checker: { next(): readonly StoredRecord[] } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isBackupEnded = false;
  #lastWrite = 0;

  async answer(request: ThreadRequest): Promise<unknown> {
    if (request.ask === 'open') return this.#open(request);
    const store = this.#store;
    if (store === undefined) throw new Error('The store is closed');
    switch (request.ask) {
      case 'read':
        return joined((this.#reader ??= store.reader()).next());
      case 'check':
        return (this.#checker ??= store.checker()).next().length === 0;
      case 'find':
        return store.find(request.groups, request.most);
      case 'write':
        this.#lastWrite = performance.now();
        store.write(dividedChanges(request.changes));
        return store.hasRoom;
      case 'mend':
        return store.mend();
      case 'scrub':
        store.scrub();
        return undefined;
      case 'backup':
        this.#isBackupEnded = false;
        return store.backup(request.path, () => this.#nextTurn());
      case 'end-backup':
        this.#isBackupEnded = true;
        return undefined;
      case 'close':
        this.#close(store);
        return undefined;
    }
  }

  /** What is due when nobody waits for an answer. */
  rest(): void {
    this.#store?.tidy();
  }

  async #nextTurn(): Promise<void> {
    await turn();
    if (this.#isBackupEnded) throw new Error('The backup was ended');
  }

  async #open({ folder, driver }: ThreadSettings): Promise<OpenedStore> {
    const module = driver === undefined ? ownDriver : ((await import(driver)) as DatabaseDriver);
    const store = await RecordStore.open(folder, module);
    this.#store = store;
    this.#timer = setInterval(() => {
      void store.syncAcknowledged();
      store.clearLog();
      if (performance.now() - this.#lastWrite > QUIET) store.vacuum();
    }, SYNC_INTERVAL);
    collectGarbageOfStart();
    const { count, hasRoom, isSmall } = store;
    return { count, hasRoom, isSmall };
  }

  #close(store: RecordStore): void {
    clearInterval(this.#timer);
    this.#store = undefined;
    store.close();
  }
}

interface Message {
  readonly number: number;
  readonly request: ThreadRequest;
}

/** Requests in their order, but reads after all others: nobody may keep writes waiting by reads. */
class WaitingMessages {
  readonly #first: Message[] = [];
  readonly #reads: Message[] = [];

  add(message: Message): void {
    (message.request.ask === 'find' ? this.#reads : this.#first).push(message);
  }

  next(): Message | undefined {
    return this.#first.shift() ?? this.#reads.shift();
  }
}

const thread = new RecordThread();
const waiting = new WaitingMessages();

function answer({ number, request }: Message): void {
  const send = (content: Omit<ThreadAnswer, 'number'>) => {
    parentPort?.postMessage({ number, ...content });
  };
  thread.answer(request).then(
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

parentPort?.on('message', (message: Message) => {
  waiting.add(message);
  answering ??= answerAll().finally(() => {
    answering = undefined;
  });
});
