import type { Caller } from '../../domain/access/caller.ts';
import { urlShownTo } from '../../domain/access/shown-urls.ts';
import { entitled } from '../../domain/access/visible.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { without } from '../../domain/values/without.ts';
import type { ChosenPushes, PushedMessages } from '../pushes/pushed-messages.ts';
import type { ShownPush } from '../pushes/shown-push.ts';
import { plainOperation } from './operation.ts';

/** Which messages an operation is about. */
export interface ChosenInput {
  readonly chosen: ChosenPushes;
  /** The queues of messages that are chosen by their ids. */
  readonly queues: readonly QueueName[];
}

/** What a caller may see of a message: whole URLs need `configure`; headers, body and answers `data`. */
export function pushShownTo(caller: Caller, message: ShownPush) {
  const urls = (['url', 'callback', 'failureCallback'] as const).flatMap((name) => {
    const url = message[name];
    return url === undefined ? [] : [[name, urlShownTo(caller, url)] as const];
  });
  const seen: ShownPush = { ...message, ...Object.fromEntries(urls) };
  if (caller.may('data')) return entitled(seen);
  const last = seen.last && { ...seen.last, response: null };
  return entitled<ShownPush>({ ...without(without(seen, 'headers'), 'data'), last });
}

/** An operation that reads messages. */
function reading(messages: PushedMessages, read: 'pending' | 'letters' | 'logs') {
  return plainOperation({
    access: 'read',
    queuesOf: ({ queues }: ChosenInput) => queues,
    perform: ({ chosen }: ChosenInput, { caller }) => messages[read](chosen, caller),
    view: ({ found, cursor }, caller) => ({
      found: found.map((message) => pushShownTo(caller, message)),
      cursor,
    }),
  });
}

type Change = 'cancel' | 'retryLetters' | 'removeLetters';

/** An operation that changes messages. */
function changing(messages: PushedMessages, change: Change, action: string, line: string) {
  return plainOperation({
    access: 'operate',
    action,
    queuesOf: ({ queues }: ChosenInput) => queues,
    perform: ({ chosen }: ChosenInput, { caller }) => messages[change](chosen, caller),
    report: {
      line,
      fields: ({ found }) => ({ done: found.length }),
      hasChanged: ({ found }) => found.length > 0,
    },
  });
}

/** Messages of programs that speak QStash after they were published (further contract, section 24). */
export function pushedMessageOperations(messages: PushedMessages) {
  return {
    readMessages: reading(messages, 'pending'),
    readDeadMessages: reading(messages, 'letters'),
    readMessageLogs: reading(messages, 'logs'),
    cancelMessages: changing(messages, 'cancel', 'message.cancel', 'Messages cancelled'),
    retryDeadMessages: changing(messages, 'retryLetters', 'message.retry', 'Messages retried'),
    removeDeadMessages: changing(messages, 'removeLetters', 'message.remove', 'Messages removed'),
  };
}
