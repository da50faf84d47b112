import type { Outcome } from '../../../../application/messages/outcome.ts';
import type { VisibilityChange } from '../../../../application/messages/message-receives.ts';
import type { OperationCatalogue } from '../../../../application/operation-catalogue.ts';
import type { Receipt } from '../../../../domain/attempts/received.ts';
import type { DomainError } from '../../../../domain/errors.ts';
import { checkAskedFor } from '../fields/attribute-filter.ts';
import { batchEntries, batchResult } from '../fields/batch-entries.ts';
import { receiptOf } from '../fields/receipt-handle.ts';
import { receivedMessage } from '../fields/received-message.ts';
import { checkSystemNames } from '../fields/system-names.ts';
import { domainFailure } from '../wire/domain-failure.ts';
import type { Members } from '../wire/members.ts';
import { invalidParameter, invalidValue, missingParameter, SqsError } from '../wire/sqs-error.ts';
import type { Handled, Handler, Handlers, SqsCall } from './handler.ts';

const [MOST_MESSAGES, MOST_WAIT, MOST_VISIBILITY] = [10, 20, 43_200];

/** The most characters of the bodies in an answer, of which one message may take more: jobs that were added over REST may be larger. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** Messages that are received, deleted, or in flight for another time. */
export function receiveHandlers(operations: OperationCatalogue['messages']): Handlers {
  const remove = each(
    (members, queue) => receiptIn(members, queue),
    (call, queue, receipts) => call.perform(operations.deleteMessages, { queue, receipts }),
  );
  const change = each(
    (members, queue): VisibilityChange => ({
      receipt: receiptIn(members, queue),
      visibility: requiredVisibility(members) * 1000,
    }),
    (call, queue, changes) => call.perform(operations.changeMessageVisibility, { queue, changes }),
  );
  return {
    ReceiveMessage: (call) => receive(operations, call),
    DeleteMessage: remove.alone,
    DeleteMessageBatch: remove.inBatch('DeleteMessageBatchRequestEntry'),
    ChangeMessageVisibility: change.alone,
    ChangeMessageVisibilityBatch: change.inBatch('ChangeMessageVisibilityBatchRequestEntry'),
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

/** The handlers of an operation that has one message, or a batch of them each by itself. */
function each<Input>(
  parse: (members: Members, queue: string) => Input,
  run: (
    call: SqsCall,
    queue: ReturnType<SqsCall['queue']>,
    inputs: readonly Input[],
  ) => Promise<readonly Outcome[]>,
): { readonly alone: Handler; readonly inBatch: (entry: string) => Handler } {
  return {
    alone: async (call) => {
      const queue = call.queue();
      const [outcome] = await run(call, queue, [parse(call.members, queue)]);
      if (outcome?.kind === 'refused') throw failureOf(outcome.error);
      return { result: null };
    },
    inBatch: (entry) => async (call) => {
      const queue = call.queue();
      const entries = batchEntries(call.members, entry);
      const parsed = entries.map(({ members }) => tried(() => parse(members, queue)));
      const inputs = parsed.flatMap((input) => (input instanceof SqsError ? [] : [input.value]));
      const outcomes = (await run(call, queue, inputs))[Symbol.iterator]();
      const results = parsed.map((input) =>
        input instanceof SqsError ? input : resultOf(outcomes.next().value as Outcome),
      );
      return { result: batchResult(entries, results) };
    },
  };
}

function tried<Input>(parse: () => Input): { readonly value: Input } | SqsError {
  try {
    return { value: parse() };
  } catch (error) {
    if (error instanceof SqsError) return error;
    throw error;
  }
}

function resultOf(outcome: Outcome): object | SqsError {
  return outcome.kind === 'done' ? {} : failureOf(outcome.error);
}

function failureOf(error: DomainError): SqsError {
  // Each time by itself was checked before.
  if (error.field === 'visibility') {
    return invalidParameter(
      `Total VisibilityTimeout for the message is beyond the limit [${MOST_VISIBILITY} seconds]`,
    );
  }
  const failure = domainFailure(error);
  if (failure === undefined) throw error;
  return failure;
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
  const seconds = members.integer('VisibilityTimeout');
  if (seconds === undefined || (seconds >= 0 && seconds <= MOST_VISIBILITY)) return seconds;
  throw invalidParameter(
    `Value ${seconds} for parameter VisibilityTimeout is invalid. Reason: VisibilityTimeout must be an integer ` +
      `between 0 and ${MOST_VISIBILITY}.`,
  );
}

function within(members: Members, name: string, least: number, most: number): number | undefined {
  const value = members.integer(name);
  if (value === undefined || (value >= least && value <= most)) return value;
  throw invalidValue(name, value, `Must be between ${least} and ${most}, if provided.`);
}
