import { expect } from 'chai';
import { Agent, request } from 'undici';
import { eventually } from '../../support/eventually.ts';
import { ServiceProcess } from '../../support/service-process.ts';
import type { Ledger } from './ledger.ts';

/** What a client got, and how long it waited, in milliseconds. */
export interface Reply {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly ms: number;
}

type Counts = Readonly<Record<string, number>>;

/** The options of the job that carries a number. */
export type OptionsOf = (number: number) => object;

/** A client that adds jobs to one queue and enters the answers in the ledger. */
export class Client {
  /** The numbers of the jobs that it tried to add. */
  readonly numbers = new Set<number>();
  readonly #queue: string;
  readonly #ledger: Ledger;
  readonly #optionsOf: OptionsOf;
  readonly #agent = new Agent();

  constructor(queue: string, ledger: Ledger, optionsOf: OptionsOf = () => ({})) {
    this.#queue = queue;
    this.#ledger = ledger;
    this.#optionsOf = optionsOf;
  }

  /** Adds jobs in one call. Without a reply the connection broke, and nobody knows what was stored. */
  add(service: ServiceProcess, count = 1): Promise<Reply | undefined> {
    return this.#post(service, this.#numbers(count), {});
  }

  /** Adds a job with options, which must be accepted, and resolves to its number. */
  async addWith(service: ServiceProcess, opts: object): Promise<number> {
    const [number = 0] = this.#numbers(1);
    expect((await this.#post(service, [number], opts))?.status).to.equal(200);
    return number;
  }

  /** Adds jobs that must be accepted. */
  async addAccepted(service: ServiceProcess, count: number): Promise<void> {
    const reply = await this.add(service, count);
    expect(reply?.status, 'the answer to adding jobs').to.equal(200);
  }

  /** Registers the worker of the queue. */
  async register(
    service: ServiceProcess,
    url: string,
    opts: object = {},
    endpoint: object = {},
  ): Promise<void> {
    const worker = { queue: this.#queue, endpoint: { url, method: 'post', ...endpoint }, opts };
    expect((await service.call('POST', '/workers', worker)).status).to.equal(200);
  }

  /**
   * Waits until the queue holds no unfinished job, and enters in the ledger what it holds.
   *
   * @param timeout in milliseconds
   */
  async settle(service: ServiceProcess, timeout = 60_000): Promise<void> {
    await this.untilFinished(service, timeout);
    await this.#ledger.audit(service, this.#queue);
  }

  /**
   * Resolves to the counts of the queue when it holds no unfinished job.
   *
   * @param timeout in milliseconds
   */
  untilFinished(service: ServiceProcess, timeout: number): Promise<Counts> {
    const path = `/queues/${this.#queue}/jobs?length=0`;
    return eventually(
      'all jobs are finished',
      async () => {
        const { status, body } = await service.call('GET', path).catch(() => UNREACHABLE);
        if (status !== 200) return false;
        const { counts } = body as { readonly counts: Counts };
        return UNFINISHED.every((name) => counts[name] === 0) && counts;
      },
      timeout,
    );
  }

  close(): Promise<void> {
    return this.#agent.close();
  }

  #numbers(count: number): number[] {
    const numbers = Array.from({ length: count }, () => this.#ledger.next());
    for (const number of numbers) this.numbers.add(number);
    return numbers;
  }

  async #post(
    service: ServiceProcess,
    numbers: readonly number[],
    opts: object,
  ): Promise<Reply | undefined> {
    const enter = (answer: Parameters<Ledger['answered']>[1]): void => {
      for (const number of numbers) this.#ledger.answered(number, answer);
    };
    const started = performance.now();
    try {
      const url = `${service.url}/queues/${this.#queue}/jobs`;
      const { statusCode, headers, body } = await request(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${ServiceProcess.token}` },
        body: JSON.stringify(
          numbers.map((data) => ({
            name: 'job',
            data,
            opts: { ...this.#optionsOf(data), ...opts },
          })),
        ),
        dispatcher: this.#agent,
      });
      await body.dump();
      enter(statusCode === 200 ? 'accepted' : 'refused');
      const retryAfter = headers['retry-after'];
      return {
        status: statusCode,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
        ms: performance.now() - started,
      };
    } catch {
      enter('unanswered');
      return undefined;
    }
  }
}

const UNFINISHED = ['waiting', 'active', 'delayed', 'prioritized'];

const UNREACHABLE = { status: 0, body: undefined };
