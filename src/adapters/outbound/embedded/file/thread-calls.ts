import { Worker } from 'node:worker_threads';
import { recordThreadUrl } from './record-thread-url.ts';
import { fromErrorMessage, StoreFailedError } from './store-errors.ts';
import type { ThreadAnswer, ThreadCall, ThreadMethods } from './record-thread.ts';

type ResultOf<Name extends keyof ThreadMethods> = Awaited<ReturnType<ThreadMethods[Name]>>;

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

/** Calls of a thread, each answered once. A thread that ends fails the calls that wait and all later ones. */
export class ThreadCalls {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #number = 0;
  #end: Error | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (answer: ThreadAnswer) => this.#settle(answer));
    worker.on('error', (error) => this.#fail(error));
    worker.on('exit', () => this.#fail(new Error('it ended')));
  }

  /**
   * Starts a thread that opens nothing yet. It does not keep the process alive before its first call. The thread leaves
   * out the modules that the process preloads: a loader of TypeScript doubles the time of its start.
   */
  static start(): ThreadCalls {
    const worker = new Worker(recordThreadUrl(), { execArgv: [] });
    const calls = new ThreadCalls(worker);
    // After the listeners, each of which has the thread keep the process alive.
    worker.unref();
    return calls;
  }

  /** @throws what the thread threw. */
  call<Name extends keyof ThreadMethods>(
    name: Name,
    ...given: Parameters<ThreadMethods[Name]>
  ): Promise<ResultOf<Name>> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    const number = (this.#number += 1);
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#worker.postMessage({ number, name, given } satisfies ThreadCall);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle({ number, result, error }: ThreadAnswer): void {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (error === undefined) waiting?.resolve(result as never);
    else waiting?.reject(fromErrorMessage(error));
  }

  #fail({ message }: Error): void {
    this.#end ??= new StoreFailedError(`The thread of the store failed: ${message}`);
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(this.#end);
  }
}
