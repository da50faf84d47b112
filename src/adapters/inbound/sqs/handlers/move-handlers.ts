import type { MoveState, MoveTask } from '../../../../application/messages/move-task.ts';
import type { OperationCatalogue } from '../../../../application/operation-catalogue.ts';
import { DomainError } from '../../../../domain/errors.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { queueArn, queueOfArn } from '../fields/queue-arn.ts';
import { taskHandle, taskOf } from '../fields/task-handle.ts';
import { SqsError } from '../wire/sqs-error.ts';
import type { Handlers, SqsCall } from './handler.ts';
import { nextToken, queuesPage } from './page-of-queues.ts';

const [MOST_RATE, MOST_TASKS] = [500, 10];

const STATES: Readonly<Record<MoveState, string>> = {
  running: 'RUNNING',
  completed: 'COMPLETED',
  cancelled: 'CANCELLED',
  failed: 'FAILED',
};

/** Dead letter queues, and what moves messages out of them. */
export function moveHandlers(operations: OperationCatalogue['messages']): Handlers {
  return {
    ListDeadLetterSourceQueues: async ({ members, perform, urlOf, queue: named }) => {
      const input = { queue: named(), page: queuesPage(members) };
      const page = await perform(operations.listDeadLetterSources, input);
      return { result: { queueUrls: page.queues.map(urlOf), ...nextToken(members, page) } };
    },

    StartMessageMoveTask: async (call) => {
      const { members, perform, region } = call;
      const queue = queueIn(call, 'SourceArn');
      const destination = members.has('DestinationArn')
        ? queueIn(call, 'DestinationArn')
        : undefined;
      const must = `Must be an integer between 1 and ${MOST_RATE}, if provided.`;
      const rate = members.integerWithin('MaxNumberOfMessagesPerSecond', 1, MOST_RATE, must);
      const task = await found(() =>
        perform(operations.startMessageMove, { queue, destination, rate }),
      );
      return { result: { TaskHandle: taskHandle({ queue, task }, region) } };
    },

    ListMessageMoveTasks: async (call) => {
      const { members, perform, region } = call;
      const queue = queueIn(call, 'SourceArn');
      const must = `Must be an integer between 1 and ${MOST_TASKS}.`;
      const length = members.integerWithin('MaxResults', 1, MOST_TASKS, must) ?? 1;
      const tasks = await found(() => perform(operations.listMessageMoves, { queue, length }));
      return { result: { Results: tasks.map((task) => shownTask(task, region)) } };
    },

    CancelMessageMoveTask: async ({ members, perform, queueNamed }) => {
      const handle = taskOf(members.requiredText('TaskHandle'));
      if (handle === undefined) {
        throw new SqsError('ResourceNotFoundException', 'Task does not exist.');
      }
      const { queue: name, task } = handle;
      const moved = await found(() =>
        perform(operations.cancelMessageMove, { queue: queueNamed(name), task }),
      );
      return { result: { ApproximateNumberOfMessagesMoved: moved } };
    },
  };
}

function shownTask(task: MoveTask, region: string): object {
  const { id, state, source, destination, rate, found, moved, failed, startedAt, reason } = task;
  return {
    ...(state === 'running' && { TaskHandle: taskHandle({ queue: source, task: id }, region) }),
    Status: STATES[state],
    SourceArn: queueArn(region, source),
    ...(destination !== null && { DestinationArn: queueArn(region, destination) }),
    ...(rate !== null && { MaxNumberOfMessagesPerSecond: rate }),
    ApproximateNumberOfMessagesMoved: moved,
    ApproximateNumberOfMessagesToMove: found,
    ...(failed > 0 && {
      FailureReason: `AccessDenied: ${failed} of ${found} messages stay, since the token may not add to the queues they came from`,
    }),
    ...(state === 'failed' && { FailureReason: reason ?? '' }),
    StartedTimestamp: startedAt,
  };
}

function queueIn(
  { members, queueNamed }: SqsCall,
  name: 'SourceArn' | 'DestinationArn',
): QueueName {
  const queue = queueOfArn(members.requiredText(name));
  if (queue !== undefined) return queueNamed(queue);
  throw notFound(name);
}

/** What names queues by ARNs has another error for those that are not there. */
async function found<Result>(perform: () => Promise<Result>): Promise<Result> {
  try {
    return await perform();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'queue-not-found') throw error;
    throw notFound('SourceArn');
  }
}

function notFound(name: string): SqsError {
  return new SqsError(
    'ResourceNotFoundException',
    `The resource that you specified for the ${name} parameter doesn't exist.`,
  );
}
