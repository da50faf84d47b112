import { DomainError, invalidRequest } from '../../domain/errors.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { MOVE_QUEUE } from '../../domain/queues/own-queue.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { JobControlPort } from '../ports/job-control-port.ts';
import type { MessageIdPort } from '../ports/message-id-port.ts';
import type { QueuePort } from '../ports/queue-port.ts';
import type { MessageQueues } from './message-queues.ts';
import { MOVE_CANCELLED, moveTaskOf, type MoveOrder, type MoveTask } from './move-task.ts';

/** Which tasks are kept once they have ended: so many, for a week. */
const KEPT = { age: 7 * 24 * 3600, count: 1000 };

const ALL_STATES = ['active', 'waiting', 'delayed', 'completed', 'failed'] as const;

export interface MessageMovesDependencies {
  readonly messageQueues: Pick<MessageQueues, 'read' | 'terms' | 'allSourcesOf'>;
  readonly queues: Pick<QueuePort, 'add' | 'list' | 'find'>;
  readonly control: Pick<JobControlPort, 'cancel'>;
  readonly ids: MessageIdPort;
}

/**
 * The tasks that move the messages of dead letter queues back to where they came from, or to another queue. A task is a
 * job in a queue of the service's own, so that any replica can go on with it.
 */
export class MessageMoves {
  readonly #messageQueues: MessageMovesDependencies['messageQueues'];
  readonly #queues: MessageMovesDependencies['queues'];
  readonly #control: MessageMovesDependencies['control'];
  readonly #ids: MessageIdPort;

  constructor(dependencies: MessageMovesDependencies) {
    this.#messageQueues = dependencies.messageQueues;
    this.#queues = dependencies.queues;
    this.#control = dependencies.control;
    this.#ids = dependencies.ids;
  }

  /**
   * Starts a task. @returns its id.
   *
   * @param destination undefined for the queues that the messages came from.
   * @param rate most messages in a second.
   * @param addsTo patterns of the queues to which the messages may go back, null for all: others stay.
   * @throws DomainError `queue-not-found`; `invalid-request` for a queue that is no dead letter queue; `job-conflict`
   * when a task moves its messages already.
   */
  async start(
    source: QueueName,
    destination: QueueName | undefined,
    rate: number | undefined,
    addsTo: readonly string[] | null,
  ): Promise<string> {
    const { counts } = await this.#messageQueues.read(source);
    if (destination !== undefined) await this.#messageQueues.terms(destination);
    if (this.#messageQueues.allSourcesOf(source).length === 0) {
      throw invalidRequest('Source queue must be configured as a Dead Letter Queue.', 'queue');
    }
    const found = counts.waiting + counts.prioritized;
    const order: MoveOrder = {
      source,
      destination: destination ?? null,
      rate: rate ?? null,
      found,
      addsTo,
    };
    const id = this.#ids.draw();
    const opts = {
      attempts: 0,
      delay: 0,
      jobId: id,
      removeOnComplete: KEPT,
      removeOnFail: KEPT,
      // It stands for its source until it ends.
      deduplication: { id: source },
    };
    const job = { name: 'move', data: { ...order, addsTo: addsTo && [...addsTo] }, opts };
    const [added] = await this.#queues.add(MOVE_QUEUE, [job]);
    if (added?.deduplicated === true) throw alreadyRunning();
    return id;
  }

  /** The latest tasks of a source, newest first. @throws DomainError `queue-not-found`. */
  async list(source: QueueName, length: number): Promise<readonly MoveTask[]> {
    await this.#messageQueues.terms(source);
    const found: MoveTask[] = [];
    const query = { statuses: ALL_STATES, start: 0, length: 2 * KEPT.count };
    const { jobs } = await this.#queues.list(MOVE_QUEUE, query);
    for await (const piece of jobs) {
      for (const job of piece) {
        const task = moveTaskOf(job);
        if (task?.source === source) found.push(task);
      }
    }
    found.sort((one, other) => other.startedAt - one.startedAt);
    return found.slice(0, length);
  }

  /**
   * Cancels a task: from then on no message is moved, by no replica. What it has moved stays moved. @returns how many
   * messages that were, as the task said last.
   *
   * @throws DomainError `job-not-found`, or `job-conflict` when it has ended.
   */
  async cancel(source: QueueName, id: string): Promise<number> {
    const job: Job | undefined = await this.#queues.find(MOVE_QUEUE, id);
    const task = job && moveTaskOf(job);
    if (task?.source !== source) throw new DomainError('job-not-found', 'Task does not exist.');
    const { kind } = await this.#control.cancel(MOVE_QUEUE, id, { reason: MOVE_CANCELLED });
    if (kind !== 'done') throw new DomainError('job-conflict', 'The task is not running.');
    return task.moved;
  }
}

function alreadyRunning(): DomainError {
  return new DomainError(
    'job-conflict',
    'There is already a task running. Only one active task is allowed for a source queue arn at a given time.',
  );
}
