import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Attempt } from '../../../src/domain/attempts/attempt.ts';
import type { FlowChild } from '../../../src/domain/flows/flow-child.ts';
import {
  flowJobShape,
  newFlow,
  type FlowInput,
  type NewFlowJob,
} from '../../../src/domain/flows/flow.ts';
import type { Json } from '../../../src/domain/values/json.ts';
import { queueName, type QueueName } from '../../../src/domain/queues/queue-name.ts';
import { collected } from '../../support/collected.ts';
import type { QueueHarness } from '../queue-harness.ts';
import { ANY, claimOf, FAILED, process, take, uniqueQueue } from '../queue-steps.ts';

const shape = flowJobShape(queueName({ min: 1, max: 100 }));

export const unbounded = (): undefined => undefined;

/** Flows between two queues that no other test has. */
export class FlowSteps {
  readonly #harness: QueueHarness;
  /** Of the parents. */
  readonly above: QueueName = uniqueQueue();
  /** Of their children, unless they say otherwise. */
  readonly below: QueueName = uniqueQueue();

  constructor(harness: QueueHarness) {
    this.#harness = harness;
  }

  flow(children: readonly Partial<FlowInput>[], root: Partial<FlowInput> = {}) {
    const input = {
      queue: this.above,
      name: 'report',
      data: { all: true },
      ...root,
      children: children.map((child, index) => ({
        queue: this.below,
        name: `part-${index}`,
        data: index,
        ...child,
      })),
    };
    return newFlow(input, shape, unbounded, randomUUID());
  }

  async add(jobs: readonly NewFlowJob[]): Promise<NewFlowJob> {
    expect(await this.#harness.flows.add(jobs, unbounded)).to.deep.equal({ kind: 'added' });
    return jobs[0]!;
  }

  /** Adds a parent of the children, and returns all of them, the parent first. */
  async added(
    children: readonly Partial<FlowInput>[],
    root: Partial<FlowInput> = {},
  ): Promise<readonly NewFlowJob[]> {
    const jobs = this.flow(children, root);
    await this.add(jobs);
    return jobs;
  }

  async stateOf({ queue, id }: Pick<NewFlowJob, 'queue' | 'id'>): Promise<unknown> {
    return (await this.#harness.queues.find(queue, id))?.state;
  }

  statesOf(jobs: readonly NewFlowJob[]): Promise<readonly unknown[]> {
    return Promise.all(jobs.map((job) => this.stateOf(job)));
  }

  /** Completes the job that comes next in a queue. */
  async complete(queue: QueueName = this.below, returnvalue: Json = null): Promise<Attempt> {
    const { attempts } = this.#harness;
    const attempt = await take(attempts, queue);
    const settled = await attempts.settle(queue, attempt, { kind: 'completed', returnvalue });
    expect(settled.held).to.equal(true);
    return attempt;
  }

  /** Fails the job that comes next in a queue. */
  fail(queue: QueueName = this.below): Promise<string> {
    return process(this.#harness.attempts, queue, FAILED);
  }

  /** Whether no job of the queue may start. */
  async isIdle(queue: QueueName = this.above): Promise<boolean> {
    return (await this.#harness.attempts.claim(queue, claimOf(ANY))).kind === 'idle';
  }

  children({ queue, id }: Pick<NewFlowJob, 'queue' | 'id'>): Promise<FlowChild[]> {
    return collected(this.#harness.flows.children(queue, id));
  }

  async childStates(job: NewFlowJob): Promise<readonly unknown[]> {
    return (await this.children(job)).map(({ state }) => state);
  }
}
