import { JobgateError, messageOf } from './errors.ts';
import { errorOf, parsed, pauseOf, sleep } from './transport.ts';

/** At most four reports of progress a second. */
const PROGRESS_INTERVAL = 250;

/** The service knows an outcome again for a minute. */
const REPEATED_FOR = 60_000;

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
  readonly #fetch: typeof fetch;
  readonly #lost: (error: JobgateError) => void;
  #last: Promise<unknown> = Promise.resolve();
  #latest: { readonly value: unknown } | undefined;
  #due: Promise<void> | undefined;
  #sentAt = -Infinity;

  /**
   * @param address undefined when nothing says where the service is.
   * @param lost is called when a report is answered 401: the job is no longer held.
   */
  constructor(
    address: JobAddress | undefined,
    lost: (error: JobgateError) => void,
    send: typeof fetch = (input, init) => fetch(input, init),
  ) {
    this.#address = address;
    this.#lost = lost;
    this.#fetch = send;
  }

  /** @throws Error when nothing says where the service is. */
  get address(): JobAddress {
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

  progress(value: unknown): Promise<void> {
    // What cannot be reported, or is no JSON, is the caller's error at once.
    this.#requireAddress();
    this.#latest = { value: JSON.parse(JSON.stringify(value ?? null)) as unknown };
    this.#due ??= this.#sendLatest();
    return this.#due;
  }

  log(text: string): Promise<void> {
    return this.#inOrder('logs', text);
  }

  /** Resolves when all that was reported has been sent. */
  async flush(): Promise<void> {
    await this.#due?.catch(() => undefined);
    await this.#last;
  }

  /** Reports an outcome, behind all that was reported before. */
  async outcome(verb: string, body: unknown): Promise<void> {
    await this.flush();
    await this.send('POST', verb, body);
  }

  /** One request with the job's token, repeated for a minute while there is no answer. */
  async send(method: string, verb: string, body?: unknown): Promise<unknown> {
    const { url, queue, id, token } = this.address;
    const path = `${url}/queues/${encodeURIComponent(queue)}/jobs/${encodeURIComponent(id)}/${verb}`;
    const end = Date.now() + REPEATED_FOR;
    for (let count = 1; ; count += 1) {
      let pause = Math.random() * Math.min(10_000, 200 * 2 ** count);
      let error: JobgateError;
      try {
        const response = await this.#fetch(path, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            accept: 'application/problem+json, application/json',
            'content-type': 'application/json',
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(10_000),
        });
        const text = await response.text();
        if (response.ok) return parsed(text);
        error = errorOf(response.status, text);
        pause = pauseOf(response.headers.get('retry-after')) ?? pause;
      } catch (cause) {
        error = new JobgateError(`No answer: ${messageOf(cause)}`, 0, undefined, cause);
      }
      if (error.status === 401) this.#lost(error);
      const isPassing = [0, 429, 503].includes(error.status);
      if (!isPassing || Date.now() + pause > end) throw error;
      await sleep(pause);
    }
  }

  #requireAddress(): JobAddress {
    return this.address;
  }

  #sendLatest(): Promise<void> {
    const sent = sleep(this.#sentAt + PROGRESS_INTERVAL - Date.now()).then(() => {
      const latest = this.#latest;
      this.#due = undefined;
      this.#sentAt = Date.now();
      return this.#inOrder('progress', latest?.value);
    });
    sent.catch(() => undefined);
    return sent;
  }

  #inOrder(verb: string, body: unknown): Promise<void> {
    this.#requireAddress();
    const sent = this.#last.then(async () => {
      await this.send('POST', verb, body);
    });
    // A handler need not await its reports; one that fails ends no process.
    this.#last = sent.catch(() => undefined);
    return sent;
  }
}
