import type { OperationCatalogue } from '../../../../application/operation-catalogue.ts';
import { DomainError } from '../../../../domain/errors.ts';
import { REDRIVE_FIELD } from '../../../../domain/policies/message-policy.ts';
import { attributeNameOf, queueAttributes, shownAttributes } from '../fields/queue-attributes.ts';
import { checkNewName } from '../fields/queue-names.ts';
import { invalidValue, missingParameter, SqsError } from '../wire/sqs-error.ts';
import type { Handlers } from './handler.ts';
import { nextToken, queuesPage } from './page-of-queues.ts';

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/** Queues and their attributes. */
export function queueHandlers(operations: OperationCatalogue['messages']): Handlers {
  return {
    CreateQueue: async ({ members, perform, urlOf, queueNamed }) => {
      const name = members.requiredText('QueueName');
      const given = members.textMap('Attributes') ?? NO_ATTRIBUTES;
      const isFifo = given.get('FifoQueue')?.toLowerCase() === 'true';
      checkNewName(name, isFifo);
      const labels = Object.fromEntries(members.textMap('tags') ?? members.textMap('Tags') ?? []);
      const order = queueAttributes(given, isFifo);
      const creation = await namingRedrive(given, () =>
        perform(operations.createMessageQueue, { queue: queueNamed(name), order, labels }),
      );
      if (creation.kind === 'differs') {
        const { attribute } = creation;
        throw new SqsError(
          'QueueNameExists',
          'A queue already exists with the same name and a different value for attribute ' +
            ('kept' in attribute ? attribute.kept : attributeNameOf(attribute.name)),
        );
      }
      return { result: { QueueUrl: urlOf(name) } };
    },

    SetQueueAttributes: async ({ members, perform, queue: named }) => {
      const queue = named();
      const given = members.textMap('Attributes');
      if (given === undefined) throw missingParameter('Attributes');
      const { fifo } = await perform(operations.findMessageQueue, { queue });
      const order = queueAttributes(given, fifo);
      if (order.fifo !== undefined && order.fifo !== fifo) {
        throw new SqsError('InvalidAttributeValue', 'Invalid value for the parameter FifoQueue.');
      }
      await namingRedrive(given, () =>
        perform(operations.setMessageQueueAttributes, { queue, order }),
      );
      return { result: null };
    },

    GetQueueAttributes: async ({ members, perform, region, queue: named }) => {
      const queue = named();
      const asked = members.texts('AttributeNames') ?? [];
      const read = await perform(operations.readMessageQueue, { queue });
      const attributes = shownAttributes(queue, read, asked, region);
      return { result: Object.keys(attributes).length === 0 ? null : { Attributes: attributes } };
    },

    GetQueueUrl: async ({ members, perform, urlOf, queueNamed }) => {
      const queue = queueNamed(members.requiredText('QueueName'));
      await perform(operations.findMessageQueue, { queue });
      return { result: { QueueUrl: urlOf(queue) } };
    },

    ListQueues: async ({ members, perform, urlOf }) => {
      const prefix = members.text('QueueNamePrefix') ?? '';
      const page = await perform(operations.listMessageQueues, { prefix, ...queuesPage(members) });
      const urls = page.queues.map(urlOf);
      return {
        result: { ...(urls.length > 0 && { QueueUrls: urls }), ...nextToken(members, page) },
      };
    },

    DeleteQueue: async ({ perform, queue: named }) => {
      await perform(operations.removeMessageQueue, { queue: named() });
      return { result: null };
    },

    PurgeQueue: async ({ perform, queue: named }) => {
      await perform(operations.purgeMessages, { queue: named() });
      return { result: null };
    },

    AddPermission: () => Promise.reject(noPermissions()),
    RemovePermission: () => Promise.reject(noPermissions()),
  };
}

/** Names the attribute in the error of a dead letter queue that cannot be one. */
async function namingRedrive<Result>(
  given: ReadonlyMap<string, string>,
  set: () => Promise<Result>,
): Promise<Result> {
  try {
    return await set();
  } catch (error) {
    if (!(error instanceof DomainError) || error.field !== REDRIVE_FIELD) throw error;
    throw invalidValue('RedrivePolicy', given.get('RedrivePolicy'), error.message);
  }
}

function noPermissions(): SqsError {
  return new SqsError(
    'UnsupportedOperation',
    'Permissions of a queue are those of tokens: a token has rights, and the queues that it may use.',
  );
}
