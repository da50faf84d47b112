import type { OperationCatalogue } from '../../../../application/operation-catalogue.ts';
import { missingParameter } from '../wire/sqs-error.ts';
import type { Handlers } from './handler.ts';

/** Tags, which are labels of the policy of a queue. */
export function labelHandlers(operations: OperationCatalogue['messages']): Handlers {
  return {
    TagQueue: async ({ members, perform, queue: named }) => {
      const queue = named();
      const tags = members.textMap('Tags');
      if (tags === undefined || tags.size === 0) throw missingParameter('Tags');
      await perform(operations.labelQueue, { queue, order: Object.fromEntries(tags) });
      return { result: null };
    },

    UntagQueue: async ({ members, perform, queue: named }) => {
      const queue = named();
      const names = members.texts('TagKeys');
      if (names === undefined || names.length === 0) throw missingParameter('TagKeys');
      await perform(operations.unlabelQueue, { queue, names });
      return { result: null };
    },

    ListQueueTags: async ({ perform, queue: named }) => {
      const tags = await perform(operations.readQueueLabels, { queue: named() });
      return { result: Object.keys(tags).length === 0 ? null : { Tags: tags } };
    },
  };
}
