import type { Outcome } from '../../../../application/messages/outcome.ts';
import type { VisibilityChange } from '../../../../application/messages/message-receives.ts';
import type { OperationCatalogue } from '../../../../application/operation-catalogue.ts';
import type { Receipt } from '../../../../domain/attempts/received.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { checkAskedFor } from '../fields/attribute-filter.ts';
import { batchEntries } from '../fields/batch-entries.ts';
import { receiptOf } from '../fields/receipt-handle.ts';
import { checkSystemNames, receivedMessage } from '../fields/received-message.ts';
import type { Members } from '../wire/members.ts';
import { invalidParameter, missingParameter, SqsError } from '../wire/sqs-error.ts';
import { alone, inBatch, type EachMessage } from './each-message.ts';
import type { Handled, Handler, Handlers, SqsCall } from './handler.ts';

type Done = Exclude<Outcome, { readonly kind: 'refused' }>;

const [MOST_MESSAGES, MOST_WAIT, MOST_VISIBILITY] = [10, 20, 43_200];
const BEYOND_LIMIT = `Total VisibilityTimeout for the message is beyond the limit [${MOST_VISIBILITY} seconds]`;

/** The most characters of the bodies in an answer, of which one message may take more: jobs that were added over REST may be larger. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** Messages that are received, deleted, or in flight for another time. */
export function receiveHandlers(operations: OperationCatalogue['messages']): Handlers {
  const deleting = ({ perform }: SqsCall, queue: QueueName): EachMessage<Receipt, Done> => ({
    parse: (members) => receiptIn(members, queue),
    run: (receipts) => perform(operations.deleteMessages, { queue, receipts }),
  });
  const changing = (
    { perform }: SqsCall,
    queue: QueueName,
  ): EachMessage<VisibilityChange, Done> => ({
    parse: (members) => ({
      receipt: receiptIn(members, queue),
      visibility: requiredVisibility(members) * 1000,
    }),
    run: (changes) => perform(operations.changeMessageVisibility, { queue, changes }),
    // Each time by itself was checked before.
    failure: ({ field }) => (field === 'visibility' ? invalidParameter(BEYOND_LIMIT) : undefined),
  });
  return {
    ReceiveMessage: (call) => receive(operations, call),
    DeleteMessage: ofOne(deleting),
    DeleteMessageBatch: ofBatch(deleting, 'DeleteMessageBatchRequestEntry'),
    ChangeMessageVisibility: ofOne(changing),
    ChangeMessageVisibilityBatch: ofBatch(changing, 'ChangeMessageVisibilityBatchRequestEntry'),
  };
}

type Handling<Input> = (call: SqsCall, queue: QueueName) => EachMessage<Input, Done>;

function ofOne<Input extends object>(handling: Handling<Input>): Handler {
  return async (call) => ({ result: await alone(call.members, handling(call, call.queue())) });
}

function ofBatch<Input extends object>(handling: Handling<Input>, entry: string): Handler {
  return async (call) => {
    const each = handling(call, call.queue());
    return { result: await inBatch(batchEntries(call.members, entry), each) };
  };
}

async function receive(
  operations: OperationCatalogue['messages'],
  call: SqsCall,
): Promise<Handled> {
  const { members, perform, region } = call;
  const queue = call.queue();
  const count = within(members, 'MaxNumberOfMessages', 1, MOST_MESSAGES) ?? 1;
  const wait = within(members, 'WaitTimeSeconds', 0, MOST_WAIT);
  const visibility = visibilityIn(members);
  const system = [
    ...(members.texts('AttributeNames') ?? []),
    ...(members.texts('MessageSystemAttributeNames') ?? []),
  ];
  checkSystemNames(system);
  const attributes = members.texts('MessageAttributeNames');
  checkAskedFor(attributes);
  const received = await perform(operations.receiveMessages, {
    queue,
    receive: {
      count,
      ...(wait !== undefined && { wait: wait * 1000 }),
      ...(visibility !== undefined && { visibility: visibility * 1000 }),
    },
    wantsFirst: ['All', 'ApproximateFirstReceiveTimestamp'].some((name) => system.includes(name)),
  });
  const { isFifo, giveBack } = received;
  const messages: object[] = [];
  let size = 0;
  for (const { attempt, firstReceivedAt } of received.messages) {
    const facts = { region, isFifo, firstReceivedAt };
    const message = receivedMessage(attempt, { system, attributes }, facts);
    size += message.Body.length;
    if (messages.length > 0 && size > MOST_CHARACTERS) break;
    messages.push(message);
  }
  if (messages.length < received.messages.length) giveBack(messages.length);
  if (messages.length === 0) return { result: null };
  return {
    result: { Messages: messages },
    undelivered: () => {
      giveBack(0);
    },
  };
}

function receiptIn(members: Members, queue: string): Receipt {
  const handle = members.requiredText('ReceiptHandle');
  const receipt = receiptOf(handle);
  if (receipt?.queue !== queue) {
    throw new SqsError(
      'ReceiptHandleIsInvalid',
      `The input receipt handle "${handle.slice(0, 100)}" is not a valid receipt handle.`,
    );
  }
  return receipt;
}

function requiredVisibility(members: Members): number {
  const visibility = visibilityIn(members);
  if (visibility === undefined) throw missingParameter('VisibilityTimeout');
  return visibility;
}

function visibilityIn(members: Members): number | undefined {
  const must = `VisibilityTimeout must be an integer between 0 and ${MOST_VISIBILITY}.`;
  return members.integerWithin('VisibilityTimeout', 0, MOST_VISIBILITY, must);
}

function within(members: Members, name: string, least: number, most: number): number | undefined {
  const must = `Must be between ${least} and ${most}, if provided.`;
  return members.integerWithin(name, least, most, must);
}
