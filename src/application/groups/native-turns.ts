import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { PoliciesInForce } from '../policies/policies.ts';
import { groupDefaults } from '../policies/group-defaults.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { NativeTurnPort } from '../ports/native-turn-port.ts';
import type { WorkersInForce } from '../kept/known-workers.ts';
import type { RepeatedWork } from '../running/rounds.ts';

/** How often (ms) queues without known native workers are checked. */
const INTERVAL = 1000;

/** How often (ms) queues with native workers are checked. */
const QUICK_INTERVAL = 20;

/** How many queues one check covers: the others follow in the next one. */
const MOST_QUEUES = 100;

export interface NativeTurnsDependencies {
  readonly turns: NativeTurnPort;
  readonly workers: WorkersInForce;
  readonly policies: PoliciesInForce;
  readonly clock: ClockPort;
}

/** Lets native workers take jobs of groups in turns. Every replica does so for all queues. */
export class NativeTurns implements RepeatedWork {
  readonly name = 'turns of native workers';
  readonly failure = { line: 'Staging jobs for native workers failed', pause: INTERVAL };
  readonly #turns: NativeTurnPort;
  readonly #workers: WorkersInForce;
  readonly #policies: PoliciesInForce;
  readonly #clock: ClockPort;
  /** The queues with native workers. */
  #busy = new Set<QueueName>();
  #lookAt = 0;
  #position = 0;

  constructor({ turns, workers, policies, clock }: NativeTurnsDependencies) {
    this.#turns = turns;
    this.#workers = workers;
    this.#policies = policies;
    this.#clock = clock;
  }

  async round(): Promise<number> {
    const known = this.#busy;
    this.#busy = new Set();
    const queues = [...new Set([...known, ...(await this.#others())])];
    const busy = await Promise.all(queues.map((queue) => this.#stage(queue)));
    this.#busy = new Set(queues.filter((_, index) => busy[index]));
    return this.#busy.size > 0 ? QUICK_INTERVAL : INTERVAL;
  }

  /** The next queues to check, if it is time. */
  async #others(): Promise<readonly QueueName[]> {
    const now = this.#clock.now();
    if (now < this.#lookAt) return [];
    this.#lookAt = now + INTERVAL;
    const all = (await this.#turns.queues()).toSorted();
    if (this.#position >= all.length) this.#position = 0;
    const next = all.slice(this.#position, this.#position + MOST_QUEUES);
    this.#position += MOST_QUEUES;
    return next;
  }

  async #stage(queue: QueueName): Promise<boolean> {
    const worker = await this.#workers.workerOf(queue);
    return this.#policies.startJobs(() =>
      this.#turns.stage(queue, groupDefaults(queue, worker, this.#policies)),
    );
  }
}
