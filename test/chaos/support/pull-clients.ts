import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceProcess } from '../../support/service-process.ts';
import { completeJob } from './job-reports.ts';
import type { Ledger } from './ledger.ts';
import type { Replicas } from './replicas.ts';

/** What one claim asks for. */
export interface ClaimBody {
  readonly count: number;
  readonly wait: number;
  readonly lock: number;
}

export interface ClaimedJob {
  readonly job: { readonly id: string; readonly data: number };
  readonly token: string;
}

/** How much longer than it is to wait a claim may take, in milliseconds. */
const PATIENCE = 1500;

/** Pause after a claim that came to nothing, in milliseconds. */
const PAUSE = 50;

/** Claims once through that replica. @throws when it is not answered with 200. */
export async function claimJobs(
  service: ServiceProcess,
  queue: string,
  body: ClaimBody,
  signal: AbortSignal,
): Promise<readonly ClaimedJob[]> {
  const answer = await fetch(`${service.url}/queues/${queue}/jobs/claim`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ServiceProcess.token}` },
    body: JSON.stringify(body),
    signal,
  });
  if (answer.status !== 200) throw new Error(`A claim was answered with ${answer.status}`);
  return (await answer.json()) as readonly ClaimedJob[];
}

/** Clients that take jobs and complete them, each call through another replica. They enter in the ledger what they get. */
export class PullClients {
  /** The numbers of jobs that were somebody else's before they were completed. */
  readonly late = new Set<number>();
  readonly #queue: string;
  readonly #ledger: Ledger;
  readonly #replicas: Replicas;
  readonly #claim: ClaimBody;
  readonly #ended = new AbortController();
  readonly #running: Promise<unknown>;

  constructor(
    queue: string,
    ledger: Ledger,
    replicas: Replicas,
    clients: number,
    claim: ClaimBody,
  ) {
    this.#queue = queue;
    this.#ledger = ledger;
    this.#replicas = replicas;
    this.#claim = claim;
    this.#running = Promise.all(Array.from({ length: clients }, () => this.#run()));
  }

  /** Resolves when every client has completed what it has. */
  async end(): Promise<void> {
    this.#ended.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      for (const { job, token } of await this.#take()) {
        this.#ledger.called(job.data, job.id);
        const held = await completeJob(this.#replicas, this.#queue, { id: job.id, token });
        if (!held) this.late.add(job.data);
      }
    }
  }

  async #take(): Promise<readonly ClaimedJob[]> {
    const timeout = AbortSignal.timeout(this.#claim.wait + PATIENCE);
    const signal = AbortSignal.any([this.#ended.signal, timeout]);
    try {
      return await claimJobs(this.#replicas.next, this.#queue, this.#claim, signal);
    } catch {
      await sleep(PAUSE);
      return [];
    }
  }
}
