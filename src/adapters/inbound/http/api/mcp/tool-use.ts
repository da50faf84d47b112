import type { DocumentedOperation } from '../../../../../application/operations/operation.ts';
import type { Operations } from '../../../../../application/operations/operations.ts';
import type { Way } from '../../../../../application/operations/way.ts';
import type { Pieces } from '../../../../../application/ports/queue-port.ts';
import type { Caller } from '../../../../../domain/access/caller.ts';
import { parseQueueName, type QueueName } from '../../../../../domain/queues/queue-name.ts';
import type { Shape } from '../../../../../domain/values/shape.ts';
import { parseQuery } from '../../messages/query.ts';
import { optionsIn } from '../route.ts';

/** The surroundings of a tool while it is called. */
export class ToolUse {
  readonly #operations: Operations;
  readonly #queueName: Shape<QueueName>;
  readonly #way: Way;

  constructor(operations: Operations, queueName: Shape<QueueName>, way: Way) {
    this.#operations = operations;
    this.#queueName = queueName;
    this.#way = way;
  }

  get caller(): Caller {
    return this.#way.caller;
  }

  /**
   * Performs an operation for the caller, with its rights and limits, the audit and the log. Options that are not given
   * have the defaults of the operation.
   *
   * @throws DomainError with which the operation is refused.
   */
  async perform<Input extends object, Answer>(
    operation: DocumentedOperation<Input, Answer>,
    given: Partial<NoInfer<Input>>,
  ): Promise<Answer> {
    const { queue } = given as { readonly queue?: string };
    if (queue !== undefined) {
      await this.#operations.admit(operation, this.#way, { queue }, () => false);
      parseQueueName(queue, this.#queueName);
    }
    const input = { ...parseQuery(optionsIn(operation.in), ''), ...given } as Input;
    return this.#operations.perform(operation, this.#way, input);
  }
}

/** All items of a list that comes in pieces. */
export async function collected<Item>(pieces: Pieces<Item>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const piece of pieces) items.push(...piece);
  return items;
}
