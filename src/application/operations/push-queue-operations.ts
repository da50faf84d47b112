import type { Right } from '../../domain/access/right.ts';
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
export function pushQueueOperations({
  pushQueueList: list,
  pushFlowControls: keys,
}: PushQueueUseCases) {
  const onQueue = (does: 'pause' | 'resume' | 'remove', access: Right, line: string) =>
    plainOperation({
      access,
      action: `queue.${does}`,
      report: { line },
      perform: ({ queue }: InQueue, { caller }) => list[does](queue, caller),
    });
  const onKey = (does: 'pause' | 'resume', line: string) =>
    plainOperation({
      access: 'operate',
      action: `flow-control.${does}`,
      report: { line, fields: (_, { key }) => ({ key }) },
      perform: ({ key }: OfKey, { caller }) => keys[does](key, caller),
    });
  return {
    savePushQueue: plainOperation({
      access: 'configure',
      action: 'queue.set',
      report: { line: 'Queue of messages stored' },
      perform: ({ queue, order }: InQueue & Ordered<PushQueueSettings>, { caller }) =>
        list.save(queue, order, caller),
    }),
    listPushQueues: plainOperation({
      access: 'read',
      perform: (_input, { caller }) => list.list(caller),
    }),
    readPushQueue: plainOperation({
      access: 'read',
      perform: ({ queue }: InQueue) => list.read(queue),
    }),
    removePushQueue: onQueue('remove', 'configure', 'Queue removed'),
    pausePushQueue: onQueue('pause', 'operate', 'Queue paused'),
    resumePushQueue: onQueue('resume', 'operate', 'Queue resumed'),
    listFlowControls: plainOperation({
      access: 'read',
      perform: ({ search }: { readonly search: string }, { caller }) => keys.all(search, caller),
    }),
    readFlowControl: plainOperation({
      access: 'read',
      perform: ({ key }: OfKey, { caller }) => keys.read(key, caller),
    }),
    pauseFlowControl: onKey('pause', 'Flow control key paused'),
    resumeFlowControl: onKey('resume', 'Flow control key resumed'),
  };
}
