import type { OperationCatalogue } from '../../../../../application/operation-catalogue.ts';
import type { Operation } from '../../../../../application/operations/operation.ts';
import type { Operations } from '../../../../../application/operations/operations.ts';
import type { Way } from '../../../../../application/operations/way.ts';
import type { Pieces } from '../../../../../application/ports/queue-port.ts';
import type { Caller } from '../../../../../domain/access/caller.ts';
import { parseQueueName, type QueueName } from '../../../../../domain/queues/queue-name.ts';
import { isObject } from '../../../../../domain/values/json.ts';
import type { Shape } from '../../../../../domain/values/shape.ts';

/** The surroundings of a tool while it is called. */
export class ToolUse {
  readonly catalogue: OperationCatalogue;
  readonly #operations: Operations;
  readonly #queueName: Shape<QueueName>;
  readonly #way: Way;

  constructor(
    catalogue: OperationCatalogue,
    operations: Operations,
    queueName: Shape<QueueName>,
    way: Way,
  ) {
    this.catalogue = catalogue;
    this.#operations = operations;
    this.#queueName = queueName;
    this.#way = way;
  }

  get caller(): Caller {
    return this.#way.caller;
  }

  /**
   * Performs an operation for the caller, with its rights and limits, the audit and the log.
   *
   * @throws DomainError with which the operation is refused.
   */
  async perform<Input, Answer>(operation: Operation<Input, Answer>, input: Input): Promise<Answer> {
    const queue = isObject(input) ? input['queue'] : undefined;
    if (typeof queue === 'string') {
      await this.#operations.admit(operation, this.#way, { queue }, () => false);
      parseQueueName(queue, this.#queueName);
    }
    return this.#operations.perform(operation, this.#way, input);
  }
}

/** All items of a list that comes in pieces. */
export async function collected<Item>(pieces: Pieces<Item>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const piece of pieces) items.push(...piece);
  return items;
}
