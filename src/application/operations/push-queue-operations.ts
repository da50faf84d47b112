import type { PushFlowControls } from '../pushes/push-flow-controls.ts';
import type { PushQueueSettings } from '../../domain/messages/push-queue.ts';
import type { PushQueueList } from '../pushes/push-queue-list.ts';
import type { InQueue, Ordered } from './in-queue.ts';
import { plainOperation } from './operation.ts';

interface OfKey {
  readonly key: string;
}

/** What operations on queues of messages need of the application. */
export interface PushQueueUseCases {
  readonly pushQueueList: PushQueueList;
  readonly pushFlowControls: PushFlowControls;
}

/** Queues of messages, and keys of flow control (further contract, section 24). */
export function pushQueueOperations({ pushQueueList, pushFlowControls }: PushQueueUseCases) {
  return {
    savePushQueue: plainOperation({
      access: 'configure',
      action: 'queue.set',
      perform: ({ queue, order }: InQueue & Ordered<PushQueueSettings>, { caller }) =>
        pushQueueList.save(queue, order, caller),
      report: { line: 'Queue of messages stored' },
    }),
    listPushQueues: plainOperation({
      access: 'read',
      perform: (_input, { caller }) => pushQueueList.list(caller),
    }),
    readPushQueue: plainOperation({
      access: 'read',
      perform: ({ queue }: InQueue) => pushQueueList.read(queue),
    }),
    removePushQueue: plainOperation({
      access: 'configure',
      action: 'queue.remove',
      perform: ({ queue }: InQueue) => pushQueueList.remove(queue),
      report: { line: 'Queue removed' },
    }),
    pausePushQueue: plainOperation({
      access: 'operate',
      action: 'queue.pause',
      perform: ({ queue }: InQueue, { caller }) => pushQueueList.pause(queue, caller),
      report: { line: 'Queue paused' },
    }),
    resumePushQueue: plainOperation({
      access: 'operate',
      action: 'queue.resume',
      perform: ({ queue }: InQueue) => pushQueueList.resume(queue),
      report: { line: 'Queue resumed' },
    }),
    listFlowControls: plainOperation({
      access: 'read',
      perform: ({ search }: { readonly search: string }, { caller }) =>
        pushFlowControls.all(search, caller),
    }),
    readFlowControl: plainOperation({
      access: 'read',
      perform: ({ key }: OfKey, { caller }) => pushFlowControls.read(key, caller),
    }),
    pauseFlowControl: plainOperation({
      access: 'operate',
      action: 'flow-control.pause',
      perform: ({ key }: OfKey, { caller }) => pushFlowControls.pause(key, caller),
      report: { line: 'Flow control key paused', fields: (_, { key }) => ({ key }) },
    }),
    resumeFlowControl: plainOperation({
      access: 'operate',
      action: 'flow-control.resume',
      perform: ({ key }: OfKey, { caller }) => pushFlowControls.resume(key, caller),
      report: { line: 'Flow control key resumed', fields: (_, { key }) => ({ key }) },
    }),
  };
}
