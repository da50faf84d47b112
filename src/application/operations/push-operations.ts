import { calledShownTo } from '../../domain/access/shown-urls.ts';
import { entitled } from '../../domain/access/visible.ts';
import type { OutgoingPush, PublishedPush } from '../pushes/outgoing-push.ts';
import type { PushKeys } from '../pushes/push-keys.ts';
import type { Pushes } from '../pushes/pushes.ts';
import { plainOperation } from './operation.ts';

/** What operations on pushed messages need of the application. */
export interface PushUseCases {
  readonly pushes: Pushes;
  readonly pushKeys: Pick<PushKeys, 'read'>;
}

interface PublishInput {
  readonly messages: readonly OutgoingPush[];
}

/** Messages for programs that speak QStash (further contract, section 24). */
export function pushOperations({ pushes, pushKeys }: PushUseCases) {
  return {
    readSigningKeys: plainOperation({ access: 'admin', perform: () => pushKeys.read() }),
    publishMessages: plainOperation({
      access: 'add',
      queuesOf: ({ messages }: PublishInput) => messages.map(({ queue }) => queue),
      perform: ({ messages }: PublishInput, way) =>
        pushes.publish(messages, (jobs) => way.count('jobs', jobs), way.trace),
      view: (published, caller) => {
        const seen = (each: PublishedPush) => entitled(calledShownTo(caller, each));
        return published.map((each) => ('messageId' in each ? seen(each) : each.map(seen)));
      },
    }),
  };
}
