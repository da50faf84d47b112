import { request } from 'undici';
import type { Target } from '../load.ts';

/** Bytes of an add, at most; one job at least. */
const BODY = 1_000_000;

/** Jobs of an add, at most. */
const JOBS = 1000;

/** Adds at once. */
const CONNECTIONS = 4;

/** What a client was answered. */
export interface Filled {
  /** How many jobs were added, by the answers. */
  readonly jobs: number;
  /** How often each refusal was answered, by its status and text. */
  readonly refusals: ReadonlyMap<string, number>;
}

/** A client that adds jobs of one size as fast as it is answered, and does not stop when it is refused. */
export class Filler {
  readonly #url: string;
  readonly #token: string;
  readonly #body: string;
  readonly #jobs: number;

  /** @param size of the data of a job in bytes. */
  constructor({ host, port, token }: Target, queue: string, size: number) {
    this.#url = `http://${host}:${port}/queues/${queue}/jobs`;
    this.#token = token;
    this.#jobs = Math.max(1, Math.min(JOBS, Math.floor(BODY / size)));
    const job = { name: 'job', data: 'x'.repeat(size) };
    this.#body = JSON.stringify(new Array(this.#jobs).fill(job));
  }

  /** @param time in milliseconds. */
  fill(time: number): Promise<Filled> {
    const end = performance.now() + time;
    return this.#addWhile(() => performance.now() < end);
  }

  /** Adds at least so many jobs, however long that takes. */
  add(jobs: number): Promise<Filled> {
    return this.#addWhile((added) => added < jobs);
  }

  async #addWhile(isNeeded: (added: number) => boolean): Promise<Filled> {
    const refusals = new Map<string, number>();
    let [sent, jobs] = [0, 0];
    const work = async (): Promise<void> => {
      while (isNeeded(sent)) {
        sent += this.#jobs;
        const refusal = await this.#add();
        if (refusal === undefined) jobs += this.#jobs;
        else {
          sent -= this.#jobs;
          refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1);
        }
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
    return { jobs, refusals };
  }

  /** undefined when the jobs were added. */
  async #add(): Promise<string | undefined> {
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' };
    try {
      const answer = await request(this.#url, { method: 'POST', headers, body: this.#body });
      const text = await answer.body.text();
      // Figures in a text differ from one refusal to the next.
      return answer.statusCode === 200
        ? undefined
        : `${answer.statusCode} ${text.replace(/\d+/g, 'N')}`;
    } catch (error) {
      return (error as Error).message;
    }
  }
}
