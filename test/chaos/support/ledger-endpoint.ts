import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobJson } from '../../../src/domain/jobs/job-json.ts';
import { CallServer } from './call-server.ts';
import type { Ledger } from './ledger.ts';

/** One call, as far as a scenario looks at it. */
export interface LedgerCall {
  /** The number in the job's data. */
  readonly number: number;
  readonly path: string;
  /** The job's id, and the token of the attempt. */
  readonly id: string;
  readonly token: string;
  /** When it came, by performance.now(). */
  readonly at: number;
}

/** Work that resolves to this is answered so. */
export class OtherAnswer {
  constructor(
    readonly status: number,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** Not before so many seconds. */
export function notNow(retryAfter: number): OtherAnswer {
  return new OtherAnswer(429, { 'Retry-After': String(retryAfter) });
}

/** What the endpoint does before it answers 200, or otherwise when the work resolves to `OtherAnswer`. */
export type Work = (call: LedgerCall) => Promise<unknown>;

/** Work that takes that many milliseconds. */
export function lasting(ms: number): Work {
  return () => sleep(ms);
}

interface CallBody {
  readonly job: JobJson;
  readonly token: string;
}

/** A worker endpoint that enters its calls in the ledger and measures how many run at once. */
export class LedgerEndpoint {
  /** What it does from now on. */
  work: Work;
  readonly #ledger: Ledger;
  readonly #server = new CallServer((path, body, response) =>
    this.#receive(path, body as CallBody, response),
  );
  readonly #listeners = new Set<(call: LedgerCall) => void>();
  #running = 0;
  #mostAtOnce = 0;
  #longestGap = 0;
  #idleSince: number | undefined;

  private constructor(ledger: Ledger, work: Work) {
    this.#ledger = ledger;
    this.work = work;
  }

  static async start(ledger: Ledger, work: Work): Promise<LedgerEndpoint> {
    const endpoint = new LedgerEndpoint(ledger, work);
    await endpoint.#server.listen();
    return endpoint;
  }

  get origin(): string {
    return this.#server.origin;
  }

  get running(): number {
    return this.#running;
  }

  get mostAtOnce(): number {
    return this.#mostAtOnce;
  }

  /** Longest time between two calls in which none ran, in milliseconds. */
  get longestGap(): number {
    return this.#longestGap;
  }

  /** Starts measuring anew. */
  reset(): void {
    this.#mostAtOnce = this.#running;
    this.#longestGap = 0;
    this.#idleSince = undefined;
  }

  onCall(listener: (call: LedgerCall) => void): void {
    this.#listeners.add(listener);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  async #receive(path: string, { job, token }: CallBody, response: ServerResponse): Promise<void> {
    const call = { number: job.data as number, path, id: job.id, token, at: performance.now() };
    this.#ledger.called(call.number, job.id);
    this.#begin(call.at);
    response.once('close', () => this.#end());
    for (const listener of this.#listeners) listener(call);
    const outcome = await this.work(call);
    if (outcome instanceof OtherAnswer) response.writeHead(outcome.status, outcome.headers);
    response.end();
  }

  #begin(now: number): void {
    if (this.#idleSince !== undefined) {
      this.#longestGap = Math.max(this.#longestGap, now - this.#idleSince);
      this.#idleSince = undefined;
    }
    this.#running += 1;
    this.#mostAtOnce = Math.max(this.#mostAtOnce, this.#running);
  }

  #end(): void {
    this.#running -= 1;
    if (this.#running === 0) this.#idleSince = performance.now();
  }
}
