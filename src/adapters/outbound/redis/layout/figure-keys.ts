import { STEPS_TOGETHER } from '../../../../application/ports/figures-port.ts';
import { STEPS, type Step } from '../../../../domain/figures/figure-steps.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { ownKey } from './own-keys.ts';

/** The prefix of the number of a group of steps in the name of its key. */
const STEPS_NAME: Readonly<Record<Step, string>> = { minute: 'minutes-', hour: 'hours-' };

const FAILURES = 'failures-';

/** The number of the group of steps to which the one that began `at` belongs. */
export function groupOf(step: Step, at: number): number {
  return Math.floor(at / (STEPS[step] * STEPS_TOGETHER[step]));
}

/** The groups of the steps from `first` to `last`, both included. */
export function groupsBetween(step: Step, first: number, last: number): readonly number[] {
  const [from, to] = [groupOf(step, first), groupOf(step, last)];
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** The number of a step, as fields name it. */
export function stepNumber(step: Step, at: number): number {
  return Math.floor(at / STEPS[step]);
}

/** A part of the name of a queue's key, after the name of the queue. */
export function figuresName(step: Step, group: number): string {
  return `jobgate:${STEPS_NAME[step]}${group}`;
}

/** The keys of figures below one prefix. Each is a hash, with a field for each step and source. */
export class FigureKeys {
  readonly #prefix: string;
  /**
   * The start (epoch ms) of the minute in which anything of a queue was last counted, and of that in which a job last
   * failed.
   */
  readonly counted: string;
  readonly failing: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
    this.counted = ownKey(prefix, 'counted');
    this.failing = ownKey(prefix, 'failing');
  }

  /** @param queue undefined for all queues together. */
  figures(queue: QueueName | undefined, step: Step, group: number): string {
    return queue === undefined
      ? ownKey(this.#prefix, `${STEPS_NAME[step]}${group}`)
      : `${this.#prefix}:${queue}:${figuresName(step, group)}`;
  }

  failures(queue: QueueName, group: number): string {
    return `${this.#prefix}:${queue}:jobgate:${FAILURES}${group}`;
  }

  latestCalls(queue: QueueName): string {
    return `${this.#prefix}:${queue}:jobgate:latest-calls`;
  }

  /** The key that names the replica that samples a minute. */
  sampler(minute: number): string {
    return ownKey(this.#prefix, `sampler-${minute}`);
  }
}
