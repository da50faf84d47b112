import type { JobgateError } from './errors.ts';
import { at } from './routes.ts';
import { Transport } from './transport.ts';

/** Three values of progress a second by the clock, and the last one before the outcome: never more than four. */
const PROGRESS_INTERVAL = 334;

/** The service knows an outcome again for a minute. */
const REPEATED_FOR = 60_000;

/** Milliseconds that a try may take. */
const TIMEOUT = 10_000;

/** Where a job is reported on. */
export interface JobAddress {
  readonly url: string;
  readonly queue: string;
  readonly id: string;
  readonly token: string;
}

/** Reports on one job with its token, in order. */
export class Reporter {
  readonly #address: JobAddress | undefined;
  readonly #lost: (error: JobgateError) => void;
  readonly #fetch: typeof fetch | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #latest: readonly [value: unknown] | undefined;
  #isDue = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sentAt = -Infinity;

  /**
   * @param address undefined when nothing says where the service is.
   * @param lost is called when a report is answered 401: the job is no longer held.
   */
  constructor(
    address: JobAddress | undefined,
    lost: (error: JobgateError) => void = () => undefined,
    send?: typeof fetch,
  ) {
    this.#address = address;
    this.#lost = lost;
    this.#fetch = send;
  }

  /** @throws Error when nothing says where the service is. */
  address(): JobAddress {
    if (this.#address === undefined) {
      throw new Error(
        'Nothing says where to report: give the worker a url, or set JOBGATE_URL, or PUBLIC_URL of the service',
      );
    }
    return this.#address;
  }

  get hasAddress(): boolean {
    return this.#address !== undefined;
  }

  /** A value that follows too soon on another one is sent later, unless a further one takes its place. */
  async progress(value: unknown): Promise<void> {
    this.address();
    // What is no JSON is the caller's error, and what the caller changes later is not reported.
    this.#latest = [JSON.parse(JSON.stringify(value ?? null))];
    const wait = this.#sentAt + PROGRESS_INTERVAL - Date.now();
    if (this.#isDue) return;
    this.#isDue = true;
    if (wait <= 0) await this.#sendLatest();
    else this.#timer = setTimeout(() => void this.flush(), wait);
  }

  log(text: string): Promise<void> {
    return this.#inOrder(() => this.send('logs', text));
  }

  /** Resolves when all that was reported has been sent. */
  async flush(): Promise<void> {
    await this.#sendLatest().catch(() => undefined);
  }

  /** Reports an outcome, behind all that was reported before. */
  async outcome(verb: string, body: unknown): Promise<void> {
    await this.flush();
    await this.send(verb, body);
  }

  /** One request with the job's token, repeated for a minute while there is no answer. */
  async send(verb: string, body: unknown): Promise<unknown> {
    const { url, token, queue, id } = this.address();
    const transport = new Transport(url, token, { timeout: TIMEOUT, fetch: this.#fetch });
    const end = Date.now() + REPEATED_FOR;
    try {
      const answer = await transport.call('POST', `/queues${at(queue)}/jobs${at(id)}/${verb}`, {
        body,
        mayRepeat: (_tries, pause) => Date.now() + pause <= end,
      });
      return answer.body;
    } catch (error) {
      if ((error as JobgateError).status === 401) this.#lost(error as JobgateError);
      throw error;
    }
  }

  #sendLatest(): Promise<void> {
    clearTimeout(this.#timer);
    return this.#inOrder(async () => {
      this.#isDue = false;
      if (this.#latest === undefined) return;
      const [value] = this.#latest;
      this.#latest = undefined;
      this.#sentAt = Date.now();
      await this.send('progress', value).finally(() => (this.#sentAt = Date.now()));
    });
  }

  #inOrder(report: () => Promise<unknown>): Promise<void> {
    const sent = this.#last.then(report).then(() => undefined);
    // A handler need not await its reports; one that fails ends no process.
    this.#last = sent.catch(() => undefined);
    return sent;
  }
}
