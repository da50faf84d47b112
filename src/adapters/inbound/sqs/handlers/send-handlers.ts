import type { SendOutcome } from '../../../../application/messages/message-sends.ts';
import type { MessageTerms } from '../../../../application/messages/message-terms.ts';
import type { OperationCatalogue } from '../../../../application/operation-catalogue.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { sizeInBytes } from '../../../../domain/values/text.ts';
import { batchEntries, type BatchEntry } from '../fields/batch-entries.ts';
import {
  MAX_BATCH,
  parsedMessage,
  requireGroup,
  type ParsedMessage,
} from '../fields/outgoing-message.ts';
import { sequenceNumber } from '../fields/sequence-number.ts';
import { SqsError } from '../wire/sqs-error.ts';
import { alone, inBatch, type EachMessage } from './each-message.ts';
import type { Handlers, SqsCall } from './handler.ts';

type Sent = Exclude<SendOutcome, { readonly kind: 'refused' }>;

const ENTRY = 'SendMessageBatchRequestEntry';

/** Messages that are sent. */
export function sendHandlers(operations: OperationCatalogue['messages']): Handlers {
  const sending = (
    { perform }: SqsCall,
    queue: QueueName,
    terms: MessageTerms,
  ): EachMessage<ParsedMessage, Sent> => ({
    parse: (members) => parsedMessage(members, terms),
    run: async (parsed) => {
      if (parsed.length === 0) return [];
      return perform(operations.sendMessages, {
        queue,
        messages: parsed.map(({ message }) => message),
      });
    },
    result: ({ id }, { digests }) => {
      const number = terms.fifo ? sequenceNumber(id) : undefined;
      return { ...digests, MessageId: id, ...(number !== undefined && { SequenceNumber: number }) };
    },
  });
  return {
    SendMessage: async (call) => {
      const queue = call.queue();
      const terms = await call.perform(operations.readTermsOfSends, { queue });
      return { result: await alone(call.members, sending(call, queue, terms)) };
    },
    SendMessageBatch: async (call) => {
      const queue = call.queue();
      const terms = await call.perform(operations.readTermsOfSends, { queue });
      const entries = batchEntries(call.members, ENTRY);
      if (terms.fifo) for (const entry of entries) requireGroup(entry.members);
      const each = sending(call, queue, terms);
      const run: typeof each.run = async (parsed, tried) => {
        checkTogether(entries, tried);
        return each.run(parsed, tried);
      };
      return { result: await inBatch(entries, { ...each, run }) };
    },
  };
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
