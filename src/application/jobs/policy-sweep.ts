import type { CommonPorts } from '../ports/common-ports.ts';
import type { SweepStep } from '../ports/sweep-step.ts';
import type { Policy } from '../../domain/policies/policy.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Policies } from '../policies/policies.ts';
import type { SharedWork } from '../ports/shared-work-port.ts';
import type { QueueNames } from '../queues/queue-names.ts';
import type { RepeatedWork } from '../running/rounds.ts';

/** How long (ms) no replica begins a sweep after one did. */
const INTERVAL = 20_000;

/** How often (ms) each replica asks whether it is to sweep, so that one takes the place of another that ended. */
const ASKED_EVERY = 5000;

/** Pause (ms) between steps, so that the store can serve others. */
const PAUSE = 5;

export interface PolicySweepDependencies extends Pick<CommonPorts, 'sharedWork' | 'logger'> {
  readonly policies: Pick<Policies, 'known' | 'of' | 'ofOthers' | 'each'>;
  readonly names: Pick<QueueNames, 'list'>;
}

/** What a sweep does to the jobs of each queue that has a rule. */
export interface SweptRule<Queue extends { readonly queue: QueueName }> {
  readonly name: string;
  /** The line of the log when a step fails, and when a sweep did something. */
  readonly failure: string;
  readonly done: string;
  readonly queuesPerStep: number;
  readonly work: SharedWork;
  /** Whether a policy says something of it; undefined for what holds without one. */
  isGivenBy(policy: Policy | undefined): boolean;
  /**
   * The queue as the policy in force wants it; undefined without a rule.
   *
   * @param before the queue as the last step left it.
   */
  rule(queue: QueueName, policy: Policy | undefined, before: Queue | undefined): Queue | undefined;
  step(queues: readonly Queue[]): Promise<SweepStep<Queue>>;
}

/**
 * Does what policies say of jobs that ended, one short step in each round (reach contract, section 20). One replica at a
 * time sweeps; another one joins it when a sweep takes long.
 */
export class PolicySweep<Queue extends { readonly queue: QueueName }> implements RepeatedWork {
  readonly name: string;
  readonly failure: NonNullable<RepeatedWork['failure']>;
  readonly #dependencies: PolicySweepDependencies;
  readonly #rule: SweptRule<Queue>;
  /** What is left of the sweep. Those with the most to do come last, so that others need not wait for them. */
  #left: readonly Queue[] = [];
  #count = 0;

  constructor(dependencies: PolicySweepDependencies, rule: SweptRule<Queue>) {
    this.name = rule.name;
    this.failure = { line: rule.failure, pause: ASKED_EVERY };
    this.#dependencies = dependencies;
    this.#rule = rule;
  }

  async round(): Promise<number> {
    if (this.#left.length === 0) {
      const { policies, sharedWork } = this.#dependencies;
      await policies.known();
      if (!this.#isNeeded || !(await sharedWork.claim(this.#rule.work, INTERVAL))) {
        return ASKED_EVERY;
      }
      this.#left = await this.#swept();
    }
    return this.#step();
  }

  async #step(): Promise<number> {
    const { queuesPerStep, done } = this.#rule;
    const some = this.#left.slice(0, queuesPerStep);
    // Those of a step that fails come with the next sweep: they do not keep others from theirs.
    this.#left = this.#left.slice(queuesPerStep);
    const { count, left } = await this.#rule.step(this.#inForce(some));
    this.#left = [...this.#left, ...left];
    this.#count += count;
    if (this.#left.length > 0) return PAUSE;
    if (this.#count > 0) this.#dependencies.logger.debug(done, { count: this.#count });
    this.#count = 0;
    return ASKED_EVERY;
  }

  get #isNeeded(): boolean {
    const { policies } = this.#dependencies;
    if (this.#rule.isGivenBy(policies.ofOthers)) return true;
    for (const [, policy] of policies.each()) if (this.#rule.isGivenBy(policy)) return true;
    return false;
  }

  /** All queues with a rule. Only where others have one too are they to be looked for. */
  async #swept(): Promise<readonly Queue[]> {
    const { policies, names } = this.#dependencies;
    const own = [...policies.each()].map(([queue]) => queue);
    const queues = this.#rule.isGivenBy(policies.ofOthers)
      ? [...own, ...(await names.list(undefined, true))]
      : own;
    return [...new Set(queues)].flatMap((queue) => this.#ruleOf(queue));
  }

  #ruleOf(queue: QueueName, before?: Queue): readonly Queue[] {
    const ruled = this.#rule.rule(queue, this.#dependencies.policies.of(queue), before);
    return ruled === undefined ? [] : [ruled];
  }

  /** A long sweep goes by the policies of each step. */
  #inForce(queues: readonly Queue[]): readonly Queue[] {
    return queues.flatMap((each) => this.#ruleOf(each.queue, each));
  }
}
