import type { ServerResponse } from 'node:http';
import type { JobJson } from '../../../src/domain/jobs/job-json.ts';
import { CallServer } from './call-server.ts';
import type { Ledger } from './ledger.ts';

/** One call with several jobs, as far as a scenario looks at it. */
export interface BatchCall {
  readonly jobs: readonly JobJson[];
  /** The numbers in the data of the jobs. */
  readonly numbers: readonly number[];
}

/** How a call is answered. */
export interface BatchAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The numbers of the jobs that the answer completes. */
  readonly completes?: readonly number[];
}

/** What the endpoint does with a call; undefined when it never answers. */
export type BatchWork = (call: BatchCall) => Promise<BatchAnswer | undefined>;

interface CallBody {
  readonly jobs: readonly { readonly job: JobJson }[];
}

/** A worker endpoint for calls with several jobs, which enters these and what it completed in the ledger. */
export class BatchEndpoint {
  /** What it does from now on. */
  work: BatchWork;
  readonly #ledger: Ledger;
  readonly #server = new CallServer((_path, body, response) =>
    this.#receive(body as CallBody, response),
  );
  readonly #completed = new Set<number>();
  #running = 0;

  private constructor(ledger: Ledger, work: BatchWork) {
    this.#ledger = ledger;
    this.work = work;
  }

  static async start(ledger: Ledger, work: BatchWork): Promise<BatchEndpoint> {
    const endpoint = new BatchEndpoint(ledger, work);
    await endpoint.#server.listen();
    return endpoint;
  }

  get origin(): string {
    return this.#server.origin;
  }

  /** How many calls run. */
  get running(): number {
    return this.#running;
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  async #receive({ jobs }: CallBody, response: ServerResponse): Promise<void> {
    const call = {
      jobs: jobs.map(({ job }) => job),
      numbers: jobs.map(({ job }) => job.data as number),
    };
    for (const { data, id } of call.jobs) this.#ledger.called(data as number, id);
    this.#running += 1;
    response.once('close', () => {
      this.#running -= 1;
    });
    const answer = await this.work(call);
    if (answer === undefined) return;
    const { status = 200, headers = {}, body, completes = [] } = answer;
    for (const number of completes) this.#complete(number);
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(body === undefined ? 'null' : JSON.stringify(body));
  }

  #complete(number: number): void {
    if (!this.#completed.has(number)) this.#ledger.completed(number);
    this.#completed.add(number);
  }
}
