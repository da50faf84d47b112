import { namePattern, namePatternShape } from '../../domain/queues/name-pattern.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import type { QueueDirectoryPort } from '../ports/queue-directory-port.ts';
import type { KeptWorkers } from '../kept/workers.ts';

/** The names of queues. */
export class QueueNames {
  readonly #directory: QueueDirectoryPort;
  readonly #workers: KeptWorkers;

  constructor(directory: QueueDirectoryPort, workers: KeptWorkers) {
    this.#directory = directory;
    this.#workers = workers;
  }

  /**
   * The queues that the directory lists, and those with a worker, since a queue with a worker needs nothing else to
   * exist; ordered by their characters.
   *
   * @param pattern selects names; all without one.
   * @param discover whether to look first for queues that other programs created.
   * @param mayUse which of them the caller may see.
   * @throws DomainError `invalid-request` naming the pattern.
   */
  async list(
    pattern?: string,
    discover = false,
    mayUse: (queue: string) => boolean = () => true,
  ): Promise<readonly QueueName[]> {
    if (pattern !== undefined) checkShape(namePatternShape, pattern, 'name');
    if (discover) await this.#directory.discover();
    const [listed, served] = await Promise.all([this.#directory.names(), this.#workers.ids()]);
    const isWanted = namePattern(pattern);
    const names = [...listed, ...served].sort();
    // Most names are in both lists. After sorting, duplicates are adjacent, which is cheaper than a set of ten thousand
    // names.
    return names.filter(
      (name, index) => name !== names[index - 1] && isWanted(name) && mayUse(name),
    );
  }
}
