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

/** The terms of a change, which is reported and recorded. */
function changes<Access extends Right>(access: Access, action: string, line: string) {
  return { access, action, report: { line } };
}

function ofKey(action: string, line: string) {
  const fields = (_: unknown, { key }: OfKey) => ({ key });
  return { ...changes('operate', action, line), report: { line, fields } };
}

/** Queues of messages, and keys of flow control (further contract, section 24). */
export function pushQueueOperations({
  pushQueueList: list,
  pushFlowControls: keys,
}: PushQueueUseCases) {
  return {
    savePushQueue: plainOperation({
      ...changes('configure', 'queue.set', 'Queue of messages stored'),
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
    removePushQueue: plainOperation({
      ...changes('configure', 'queue.remove', 'Queue removed'),
      perform: ({ queue }: InQueue) => list.remove(queue),
    }),
    pausePushQueue: plainOperation({
      ...changes('operate', 'queue.pause', 'Queue paused'),
      perform: ({ queue }: InQueue, { caller }) => list.pause(queue, caller),
    }),
    resumePushQueue: plainOperation({
      ...changes('operate', 'queue.resume', 'Queue resumed'),
      perform: ({ queue }: InQueue) => list.resume(queue),
    }),
    listFlowControls: plainOperation({
      access: 'read',
      perform: ({ search }: { readonly search: string }, { caller }) => keys.all(search, caller),
    }),
    readFlowControl: plainOperation({
      access: 'read',
      perform: ({ key }: OfKey, { caller }) => keys.read(key, caller),
    }),
    pauseFlowControl: plainOperation({
      ...ofKey('flow-control.pause', 'Flow control key paused'),
      perform: ({ key }: OfKey, { caller }) => keys.pause(key, caller),
    }),
    resumeFlowControl: plainOperation({
      ...ofKey('flow-control.resume', 'Flow control key resumed'),
      perform: ({ key }: OfKey, { caller }) => keys.resume(key, caller),
    }),
  };
}
