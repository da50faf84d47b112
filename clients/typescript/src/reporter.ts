import type { JobgateError } from './errors.ts';
import { at } from './routes.ts';
import { Transport, type Answer } from './transport.ts';

/**
 * Limits progress to three values a second, so that with the last one before the outcome there are never more than
 * four.
 */
const PROGRESS_INTERVAL = 334;

/** How long (ms) the service recognizes a repeated outcome. */
const REPEATED_FOR = 60_000;

/** Timeout (ms) of each try. */
const TIMEOUT = 10_000;

export const WITHOUT_ADDRESS =
  'Nothing says where to report: give the worker a url, or set JOBGATE_URL, or PUBLIC_URL of the service';

/** The job to report on, and the address of its service. */
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
  /** What the start of the attempt counts in limiters, for its outcome; what its job says unless set. */
  cost: number | undefined;

  /**
   * @param address undefined when the address of the service is unknown.
   * @param lost called when a report is answered with 401: the job is no longer held.
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

  /** @throws Error when the address of the service is unknown. */
  address(): JobAddress {
    if (this.#address === undefined) {
      throw new Error(WITHOUT_ADDRESS);
    }
    return this.#address;
  }

  get hasAddress(): boolean {
    return this.#address !== undefined;
  }

  /** Sends a value now, or later if another one was sent recently; a newer value replaces a pending one. */
  async progress(value: unknown): Promise<void> {
    this.address();
    // Throws at once if the value is not JSON, and takes a copy that later changes do not affect.
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

  /** Resolves when all previous reports have been sent. */
  async flush(): Promise<void> {
    await this.#sendLatest().catch(() => undefined);
  }

  /** Reports an outcome, after all previous reports. */
  async outcome(verb: string, body: unknown): Promise<void> {
    await this.flush();
    await this.ask('POST', verb, body, costHeader(this.cost));
  }

  /** Sends one report. */
  async send(verb: string, body: unknown): Promise<unknown> {
    return (await this.ask('POST', verb, body)).body;
  }

  /** Sends one request with the job's token, repeating it for up to a minute while there is no answer. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const { url, token, queue, id } = this.address();
    const transport = new Transport(url, token, { timeout: TIMEOUT, fetch: this.#fetch });
    const end = Date.now() + REPEATED_FOR;
    try {
      return await transport.call(method, `/queues${at(queue)}/jobs${at(id)}/${path}`, {
        body,
        headers,
        mayRepeat: (_tries, pause) => Date.now() + pause <= end,
      });
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
    // A handler need not await its reports, so a rejection must not end the process.
    this.#last = sent.catch(() => undefined);
    return sent;
  }
}

/** The header of a report or an answer with what the start of its attempt counts in limiters. */
export function costHeader(cost: number | undefined): Record<string, string> {
  return cost === undefined ? {} : { 'jobgate-cost': String(cost) };
}
