import { DomainError } from '../../domain/errors.ts';
import { namePatterns } from '../../domain/queues/name-pattern.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { excessOf } from '../../domain/steps/step.ts';
import {
  NO_NEW_STEP,
  suspendAnswerShape,
  suspendingOf,
  type SuspendAnswerShape,
} from '../../domain/steps/suspend-answer.ts';
import type { SuspensionRequest } from '../../domain/steps/suspension-request.ts';
import { parsedJson } from '../../domain/values/json.ts';
import type { Shape } from '../../domain/values/shape.ts';
import { sizeInBytes } from '../../domain/values/text.ts';
import type { PoliciesInForce } from '../policies/policies.ts';
import type { TokenPort } from '../ports/token-port.ts';

/** Reads what an answer saves and awaits. @throws DomainError `invalid-request` with what is wrong. */
export type ReadSuspension = (queue: QueueName, body: unknown) => SuspensionRequest;

/** Reads answers that suspend jobs, by the policies in force (further contract, section 22). */
export class Suspensions {
  readonly #policies: PoliciesInForce;
  readonly #ids: TokenPort;
  readonly #shape: SuspendAnswerShape;

  constructor(policies: PoliciesInForce, ids: TokenPort, queueName: Shape<QueueName>) {
    this.#policies = policies;
    this.#ids = ids;
    this.#shape = suspendAnswerShape(queueName);
  }

  /** @param body parsed. */
  readonly of: ReadSuspension = (queue, body) => {
    const { queues = [] } = this.#policies.of(queue)?.steps ?? {};
    const mayAdd = queues.length === 0 ? () => false : namePatterns(queues);
    const defaultsOf = (of: QueueName) => this.#policies.of(of)?.defaults;
    const suspending = suspendingOf(body, this.#shape, mayAdd, defaultsOf, queue);
    const maxWaiting = new Map<QueueName, number>();
    for (const { jobs } of suspending.added) {
      for (const { queue: to } of jobs) {
        const most = this.#policies.of(to)?.maxWaiting;
        if (most !== undefined) maxWaiting.set(to, most);
      }
    }
    return { ...suspending, id: this.#ids.draw(), maxWaiting };
  };

  /** The same of the text of an answer. */
  readonly ofText = (queue: QueueName, text: string): SuspensionRequest =>
    this.of(queue, parsedJson(text));

  /** What is wrong with an answer to the first call of a job, in a sentence; undefined for one that suspends it. */
  mistakeInFirst(queue: QueueName, text: string): string | undefined {
    try {
      const { steps, sleeps, signals, added } = this.ofText(queue, text);
      if ([steps, sleeps, signals, added].every(({ length }) => length === 0)) return NO_NEW_STEP;
      return excessOf(steps.map(({ name, value }) => ({ name, size: sizeInBytes(value) })));
    } catch (error) {
      return mistakeOf(error);
    }
  }
}

/** The sentence of an answer that is wrong. @throws any other error. */
export function mistakeOf(error: unknown): string {
  if (error instanceof DomainError && error.code === 'invalid-request') return error.message;
  throw error;
}
