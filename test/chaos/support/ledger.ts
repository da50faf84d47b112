import { expect } from 'chai';
import type { ReadJobJson } from '../../../src/domain/jobs/job-json.ts';
import type { ServiceProcess } from '../../support/service-process.ts';

/** What the one who adds a job knows of it: 200, 503, or no answer at all. */
type Answered = 'accepted' | 'refused' | 'unanswered';

export interface Totals {
  readonly accepted: number;
  /** Accepted, called at least once, and completed. */
  readonly processed: number;
  /** Called more than once. */
  readonly duplicated: number;
  /** Accepted, but neither processed nor cancelled. */
  readonly lost: number;
}

/** Jobs that one listing call returns while the books are audited. */
const PAGE = 1000;

/**
 * The books of a scenario: what was promised to those who add jobs, what the endpoint saw and, after
 * an audit, what the store holds. Each job carries a number of its own as its data, since a job whose
 * answer was lost has no id that anybody knows.
 */
export class Ledger {
  readonly #answers = new Map<number, Answered>();
  readonly #calls = new Map<number, number>();
  /** Ids of the jobs that the endpoint was called for. */
  readonly #ids = new Map<number, string>();
  readonly #severalIds = new Set<number>();
  /** How many completed jobs of the store carry the number. */
  readonly #completed = new Map<number, number>();
  readonly #cancelled = new Set<number>();
  /** The states of the jobs of the store that did not complete. */
  readonly #others = new Map<number, string>();
  #last = 0;

  /** The number for the next job. */
  next(): number {
    this.#last += 1;
    return this.#last;
  }

  get numbersGiven(): number {
    return this.#last;
  }

  answered(number: number, answer: Answered): void {
    this.#answers.set(number, answer);
  }

  called(number: number, id: string): void {
    this.#calls.set(number, this.calls(number) + 1);
    const known = this.#ids.get(number);
    if (known === undefined) this.#ids.set(number, id);
    else if (known !== id) this.#severalIds.add(number);
  }

  /** Takes a call back that the endpoint answered so that another one must follow. */
  turnedAway(number: number): void {
    this.#calls.set(number, this.calls(number) - 1);
  }

  /** Enters that a client cancelled the job, and got a 200. */
  cancelled(number: number): void {
    this.#cancelled.add(number);
  }

  completed(number: number): void {
    this.#completed.set(number, (this.#completed.get(number) ?? 0) + 1);
  }

  calls(number: number): number {
    return this.#calls.get(number) ?? 0;
  }

  /** How many different jobs the endpoint was called for. */
  get distinctCalls(): number {
    return this.#calls.size;
  }

  numbers(answer: Answered): readonly number[] {
    return [...this.#answers].flatMap(([number, given]) => (given === answer ? [number] : []));
  }

  /** Numbers of completed jobs whose adding was refused: the answer to their clients was an error. */
  get storedThoughRefused(): readonly number[] {
    return this.numbers('refused').filter((number) => this.#completed.has(number));
  }

  /** Numbers that more than one job carries. */
  get storedTwice(): readonly number[] {
    const found = [...this.#completed].flatMap(([number, jobs]) => (jobs > 1 ? [number] : []));
    return [...new Set([...found, ...this.#severalIds])];
  }

  /** The numbers of jobs that were called more than once. */
  get duplicates(): readonly number[] {
    return [...this.#calls].flatMap(([number, calls]) => (calls > 1 ? [number] : []));
  }

  get totals(): Totals {
    const accepted = this.numbers('accepted');
    return {
      accepted: accepted.length,
      processed: accepted.filter((number) => this.#isProcessed(number)).length,
      duplicated: this.duplicates.length,
      lost: this.#lost.length,
    };
  }

  /** What is known of each accepted job that neither was processed nor cancelled. */
  get #lost(): readonly string[] {
    const lost = this.numbers('accepted').filter(
      (number) => !this.#cancelled.has(number) && !this.#isProcessed(number),
    );
    return lost.map((number) => {
      const state = this.#completed.has(number) ? 'completed' : this.#others.get(number);
      return `${number}: ${this.calls(number)} calls, ${state ?? 'not listed'}`;
    });
  }

  #isProcessed(number: number): boolean {
    return this.#completed.has(number) && this.calls(number) > 0;
  }

  /** Enters every job that was called for as completed, when the store is known to hold no other. */
  completedAll(): void {
    for (const number of this.#calls.keys()) this.completed(number);
  }

  /** Reads every job of the queue, which must be at rest. */
  async audit(service: ServiceProcess, queue: string): Promise<void> {
    for (let start = 0; ; start += PAGE) {
      const path = `/queues/${queue}/jobs?start=${start}&length=${PAGE}`;
      const { status, body } = await service.call('GET', path);
      if (status === 404) return;
      const { jobs } = body as { readonly jobs: readonly ReadJobJson[] };
      for (const { data, state } of jobs) {
        if (state === 'completed') this.completed(data as number);
        else this.#others.set(data as number, state);
      }
      if (jobs.length < PAGE) return;
    }
  }

  /** One line: accepted, processed, duplicated, lost, and what else the scenario measured. */
  print(more: Readonly<Record<string, string | number>> = {}): void {
    const facts = Object.entries({ ...this.totals, ...more });
    console.log(`        ${facts.map(([name, value]) => `${name} ${value}`).join(', ')}`);
  }

  /** What must hold in every scenario. */
  expectNothingLost(): void {
    const { accepted } = this.totals;
    expect(accepted, 'accepted').to.be.greaterThan(0);
    expect(this.#lost, `lost of ${accepted}`).to.deep.equal([]);
    expect(this.storedTwice, 'stored twice').to.deep.equal([]);
  }

  /** What must hold wherever no process was killed in the middle of a call. */
  expectEachOnce(): void {
    this.expectNothingLost();
    expect(this.duplicates, 'called more than once').to.deep.equal([]);
  }
}
