import type { Right } from '../../domain/access/right.ts';
import { entitled } from '../../domain/access/visible.ts';
import type { Receipt, Receive } from '../../domain/attempts/received.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { MessageMoves } from '../messages/message-moves.ts';
import type { MessageQueues, QueuesOfPrefix } from '../messages/message-queues.ts';
import type { MessageReceives, VisibilityChange } from '../messages/message-receives.ts';
import type { MessageSends, OutgoingMessage } from '../messages/message-sends.ts';
import type { QueueAttributes } from '../messages/queue-attributes.ts';
import type { Queues } from '../queues/queues.ts';
import { callbackQueues, callbackRights } from './callback-queues.ts';
import type { InQueue, Ordered } from './in-queue.ts';
import { plainOperation } from './operation.ts';

/** What operations on messages need of the application. */
export interface MessageUseCases {
  readonly messageQueues: MessageQueues;
  readonly messageSends: MessageSends;
  readonly messageReceives: MessageReceives;
  readonly messageMoves: MessageMoves;
  readonly queues: Queues;
}

type SetInput = InQueue & Ordered<QueueAttributes>;

interface CreateInput extends InQueue, Ordered<QueueAttributes> {
  readonly labels: Readonly<Record<string, string>>;
}

interface SourcesInput extends InQueue {
  readonly page: Omit<QueuesOfPrefix, 'prefix'>;
}

interface SendInput extends InQueue {
  readonly messages: readonly OutgoingMessage[];
}

interface ReceiveInput extends InQueue {
  readonly receive: Receive;
  /** Whether the client wants to know when each message was received first. */
  readonly wantsFirst: boolean;
}

interface MoveInput extends InQueue {
  /** Where the messages go; to the queues that they came from unless given. */
  readonly destination: QueueName | undefined;
  /** Most messages in a second. */
  readonly rate: number | undefined;
}

/** Whoever names a dead letter queue must be allowed to add to it, as with callbacks (reach contract, section 18). */
const redriveRules = <Input extends SetInput>() => ({
  rightsOf: ({ order: { redrive } }: Input) => callbackRights([redrive ?? undefined]),
  queuesOf: ({ order: { redrive } }: Input) => callbackQueues([redrive ?? undefined]),
});

/** Queues, and their jobs as messages, for programs that speak Amazon SQS (reach contract, section 21). */
export function messageOperations({
  messageQueues,
  messageSends,
  messageReceives,
  messageMoves,
  queues,
}: MessageUseCases) {
  return {
    createMessageQueue: plainOperation({
      access: 'configure',
      action: 'queue.create',
      perform: ({ queue, order, labels }: CreateInput) =>
        messageQueues.create(queue, order, labels),
      ...redriveRules<CreateInput>(),
      report: { line: 'Queue created', hasChanged: ({ kind }) => kind === 'created' },
    }),
    setMessageQueueAttributes: plainOperation({
      access: 'configure',
      action: 'queue.set',
      ...redriveRules<SetInput>(),
      perform: ({ queue, order }: SetInput) => messageQueues.set(queue, order),
      report: { line: 'Attributes of a queue stored' },
    }),
    readMessageQueue: plainOperation({
      access: 'read',
      perform: ({ queue }: InQueue) => messageQueues.read(queue),
    }),
    findMessageQueue: plainOperation({
      access: 'any-token',
      perform: ({ queue }: InQueue) => messageQueues.terms(queue),
    }),
    listMessageQueues: plainOperation({
      access: 'read',
      perform: (query: QueuesOfPrefix, { caller }) => messageQueues.list(query, caller.mayUse),
    }),
    listDeadLetterSources: plainOperation({
      access: 'read',
      perform: ({ queue, page }: SourcesInput, { caller }) =>
        messageQueues.sourcesOf(queue, page, caller.mayUse),
    }),
    removeMessageQueue: plainOperation({
      access: 'configure',
      action: 'queue.remove',
      perform: ({ queue }: InQueue) => queues.remove(queue, { confirm: queue, force: true }),
      report: { line: 'Queue removed', fields: (removed) => ({ ...removed }) },
    }),
    purgeMessages: plainOperation({
      access: 'operate',
      action: 'queue.purge',
      perform: async ({ queue }: InQueue) => {
        await messageQueues.terms(queue);
        return { removed: await queues.purge(queue) };
      },
      report: { line: 'Queue purged', fields: (purged) => purged },
    }),
    readQueueLabels: plainOperation({
      access: 'read',
      perform: ({ queue }: InQueue) => messageQueues.labels(queue),
    }),
    labelQueue: plainOperation({
      access: 'configure',
      action: 'queue.label',
      perform: ({ queue, order }: InQueue & Ordered<Readonly<Record<string, string>>>) =>
        messageQueues.label(queue, order),
      report: { line: 'Queue labelled' },
    }),
    unlabelQueue: plainOperation({
      access: 'configure',
      action: 'queue.unlabel',
      perform: ({ queue, names }: InQueue & { readonly names: readonly string[] }) =>
        messageQueues.unlabel(queue, names),
      report: { line: 'Labels of a queue removed' },
    }),
    /** What holds for the messages of a queue, for whoever is about to send some. */
    readTermsOfSends: plainOperation({
      access: 'add',
      perform: ({ queue }: InQueue) => messageQueues.terms(queue),
    }),
    sendMessages: plainOperation({
      access: 'add',
      jobsOf: ({ messages }: SendInput) => messages.length,
      perform: ({ queue, messages }: SendInput, { caller, trace }) =>
        messageSends.send(queue, caller.name, messages, trace),
    }),
    receiveMessages: plainOperation({
      access: 'process',
      perform: ({ queue, receive, wantsFirst }: ReceiveInput, { ending }) =>
        messageReceives.receive(queue, receive, wantsFirst, ending),
      view: (received) => entitled(received),
    }),
    deleteMessages: plainOperation({
      access: 'process',
      perform: ({ queue, receipts }: InQueue & { readonly receipts: readonly Receipt[] }) =>
        messageReceives.delete(queue, receipts),
    }),
    changeMessageVisibility: plainOperation({
      access: 'process',
      perform: ({ queue, changes }: InQueue & { readonly changes: readonly VisibilityChange[] }) =>
        messageReceives.changeVisibility(queue, changes),
    }),
    startMessageMove: plainOperation({
      access: 'operate',
      action: 'queue.move',
      rightsOf: ({ destination }: MoveInput): readonly Right[] =>
        destination === undefined ? [] : ['add'],
      queuesOf: ({ destination }: MoveInput) => (destination === undefined ? [] : [destination]),
      // Each message names the queue that it came from, so that it is checked as it is moved.
      perform: ({ queue, destination, rate }: MoveInput, { caller }) =>
        messageMoves.start(queue, destination, rate, caller.queuesFor('add')),
      report: { line: 'Move of messages started' },
    }),
    listMessageMoves: plainOperation({
      access: 'operate',
      perform: ({ queue, length }: InQueue & { readonly length: number }) =>
        messageMoves.list(queue, length),
    }),
    cancelMessageMove: plainOperation({
      access: 'operate',
      action: 'queue.cancel-move',
      perform: ({ queue, task }: InQueue & { readonly task: string }) =>
        messageMoves.cancel(queue, task),
      report: { line: 'Move of messages cancelled' },
    }),
  };
}
