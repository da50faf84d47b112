import { expect } from 'chai';
import type { ServiceProcess } from '../../support/service-process.ts';

type Ending = 'completed' | 'failed' | 'removed';

const ENDINGS: readonly Ending[] = ['completed', 'failed', 'removed'];

const PAGE = 1000;

/** What clients know of the jobs of one queue: what was answered, and what was asked for and not answered. */
export class EmbeddedLedger {
  readonly queue: string;
  /** The jobs whose adds were answered, in the order of the answers to each client. */
  readonly added: string[] = [];
  /** The tokens of the jobs that clients hold. */
  readonly held = new Map<string, string>();
  readonly #ended = new Map<string, Ending>();
  /** The calls that may have ended a job, as `id ending`. */
  readonly #unanswered = new Set<string>();

  constructor(queue: string) {
    this.queue = queue;
  }

  /** @param ids of one answer. */
  add(ids: readonly string[]): void {
    const numbers = ids.map(Number);
    expect(numbers, 'ids of one add').to.deep.equal(numbers.toSorted((one, other) => one - other));
    this.added.push(...ids);
  }

  /** A claim was answered with a job, which nobody else may hold or have ended. */
  claim(id: string, token: string): void {
    expect(this.held.has(id), `${id} is held twice`).to.be.false;
    expect(this.#ended.get(id), `${id} was claimed after its end`).to.equal(undefined);
    this.held.set(id, token);
  }

  /** Ends a job by a call that is answered with success, or by one that may have been answered. */
  async end(id: string, ending: Ending, call: () => Promise<number>): Promise<void> {
    this.#unanswered.add(`${id} ${ending}`);
    const status = await call();
    this.#unanswered.delete(`${id} ${ending}`);
    if (status >= 300) return;
    this.#ended.set(id, ending);
    this.held.delete(id);
  }

  /** Compares what is known with what a service shows that was started again. */
  async expectAllIn(service: ServiceProcess): Promise<void> {
    const states = await statesOf(service, this.queue);
    expect(new Set(this.added).size, 'ids are given once').to.equal(this.added.length);
    for (const id of this.added) {
      const state = states.get(id);
      const ending = this.#ended.get(id);
      const mayBeRemoved = this.#unanswered.has(`${id} removed`);
      if (state === undefined && mayBeRemoved) continue;
      if (ending === 'removed') expect(state, `${id} was removed`).to.equal(undefined);
      else if (ending !== undefined) expect(state, `${id} had ended`).to.equal(ending);
      else expect(state, `${id} was added`).not.to.equal(undefined);
      if (this.held.has(id) && this.isOpen(id)) expect(state, `${id} is held`).to.equal('active');
    }
  }

  /** Whether no call was left unanswered that may have ended the job. */
  isOpen(id: string): boolean {
    return !ENDINGS.some((ending) => this.#unanswered.has(`${id} ${ending}`));
  }
}

/** The jobs of a queue with their states; none when there is no such queue. */
export async function statesOf(
  service: ServiceProcess,
  queue: string,
): Promise<ReadonlyMap<string, string>> {
  const states = new Map<string, string>();
  for (let start = 0; ; start += PAGE) {
    const path = `/queues/${queue}/jobs?start=${start}&length=${PAGE}`;
    const { status, body } = await service.call('GET', path);
    if (status === 404) return states;
    expect(status).to.equal(200);
    const { jobs } = body as { readonly jobs: readonly { id: string; state: string }[] };
    for (const { id, state } of jobs) {
      expect(states.has(id), `${id} is there twice`).to.be.false;
      states.set(id, state);
    }
    if (jobs.length < PAGE) return states;
  }
}
