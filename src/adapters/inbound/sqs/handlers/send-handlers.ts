import type { SendOutcome } from '../../../../application/messages/message-sends.ts';
import type { OperationCatalogue } from '../../../../application/operation-catalogue.ts';
import { sizeInBytes } from '../../../../domain/values/text.ts';
import { batchEntries, batchResult, type BatchEntry } from '../fields/batch-entries.ts';
import {
  MAX_BATCH,
  parsedMessage,
  requireGroup,
  type ParsedMessage,
} from '../fields/outgoing-message.ts';
import { sequenceNumber } from '../fields/sequence-number.ts';
import { domainFailure } from '../wire/domain-failure.ts';
import { SqsError } from '../wire/sqs-error.ts';
import type { Handlers } from './handler.ts';

const ENTRY = 'SendMessageBatchRequestEntry';

/** Messages that are sent. */
export function sendHandlers(operations: OperationCatalogue['messages']): Handlers {
  return {
    SendMessage: async ({ members, perform, queue: named }) => {
      const queue = named();
      const terms = await perform(operations.readTermsOfSends, { queue });
      const parsed = parsedMessage(members, terms);
      const [outcome] = await perform(operations.sendMessages, {
        queue,
        messages: [parsed.message],
      });
      if (outcome === undefined) throw new Error('A message was sent without an outcome');
      const result = sentResult(outcome, parsed, terms.fifo);
      if (result instanceof SqsError) throw result;
      return { result };
    },

    SendMessageBatch: async ({ members, perform, queue: named }) => {
      const queue = named();
      const terms = await perform(operations.readTermsOfSends, { queue });
      const entries = batchEntries(members, ENTRY);
      if (terms.fifo) for (const entry of entries) requireGroup(entry.members);
      const parsed = entries.map((entry) => tried(() => parsedMessage(entry.members, terms)));
      const sendable = parsed.filter((each): each is ParsedMessage => !(each instanceof SqsError));
      checkTogether(entries, parsed);
      const messages = sendable.map(({ message }) => message);
      const outcomes =
        messages.length === 0 ? [] : await perform(operations.sendMessages, { queue, messages });
      const results = new Map<ParsedMessage, object | SqsError>();
      for (const [index, each] of sendable.entries()) {
        const outcome = outcomes[index];
        if (outcome !== undefined) results.set(each, sentResult(outcome, each, terms.fifo));
      }
      const inOrder = parsed.map((each) =>
        each instanceof SqsError ? each : (results.get(each) ?? unsent()),
      );
      return { result: batchResult(entries, inOrder) };
    },
  };
}

function sentResult(
  outcome: SendOutcome,
  { digests }: ParsedMessage,
  isFifo: boolean,
): object | SqsError {
  if (outcome.kind === 'refused') {
    const failure = domainFailure(outcome.error);
    if (failure === undefined) throw outcome.error;
    return failure;
  }
  const { id } = outcome;
  const number = isFifo ? sequenceNumber(id) : undefined;
  return { ...digests, MessageId: id, ...(number !== undefined && { SequenceNumber: number }) };
}

/**
 * Checks the size of a batch, those of its messages included that are refused by themselves.
 *
 * @throws SqsError `BatchRequestTooLong`
 */
function checkTogether(
  entries: readonly BatchEntry[],
  parsed: readonly (ParsedMessage | SqsError)[],
): void {
  const sizes = entries.map(({ members }, index) => {
    const message = parsed[index];
    return message instanceof SqsError || message === undefined
      ? sizeInBytes(members.text('MessageBody') ?? '')
      : message.size;
  });
  const size = sizes.reduce((sum, each) => sum + each, 0);
  if (size <= MAX_BATCH) return;
  throw new SqsError(
    'BatchRequestTooLong',
    `Batch requests cannot be longer than ${MAX_BATCH} bytes. You have sent ${size} bytes.`,
  );
}

function tried(parse: () => ParsedMessage): ParsedMessage | SqsError {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SqsError) return error;
    throw error;
  }
}

function unsent(): Error {
  throw new Error('A message of a batch was sent without an outcome');
}
