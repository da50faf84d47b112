import type { Caller } from '../../domain/access/caller.ts';
import { urlShownTo } from '../../domain/access/shown-urls.ts';
import { entitled } from '../../domain/access/visible.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { ChangedPushes, ChosenPushes, PushedMessages } from '../pushes/pushed-messages.ts';
import type { ShownPush } from '../pushes/shown-push.ts';
import type { InQueue } from './in-queue.ts';
import { plainOperation } from './operation.ts';

interface OneInput extends InQueue {
  readonly id: string;
}

interface ChosenInput {
  readonly chosen: ChosenPushes;
}

interface ChangeInput extends ChosenInput {
  /** The queues of messages that are chosen by their ids. */
  readonly queues: readonly QueueName[];
}

/** What a caller may see of a message: whole URLs need `configure`; headers, body and answers `data`. */
export function pushShownTo(caller: Caller, message: ShownPush) {
  const { url, callback, failureCallback } = message;
  const seen = {
    ...message,
    url: urlShownTo(caller, url),
    callback: callback && urlShownTo(caller, callback),
    failureCallback: failureCallback && urlShownTo(caller, failureCallback),
  };
  if (caller.may('data')) return entitled<ShownPush>(seen);
  const { last } = seen;
  return entitled<ShownPush>({
    ...seen,
    headers: undefined,
    data: undefined,
    last: last && { ...last, response: null },
  });
}

const changing = {
  access: 'operate',
  queuesOf: ({ queues }: ChangeInput) => queues,
} as const;

const counted = {
  fields: ({ ids }: ChangedPushes) => ({ done: ids.length }),
  hasChanged: ({ ids }: ChangedPushes) => ids.length > 0,
};

/** Messages of programs that speak QStash after they were published (further contract, section 24). */
export function pushedMessageOperations(messages: PushedMessages) {
  return {
    readMessage: plainOperation({
      access: 'read',
      perform: ({ queue, id }: OneInput) => messages.read(queue, id),
      view: (message, caller) => pushShownTo(caller, message),
    }),
    cancelMessages: plainOperation({
      ...changing,
      action: 'message.cancel',
      perform: async ({ chosen }: ChangeInput, { caller }) => ({
        ids: await messages.cancel(chosen, caller),
        cursor: undefined,
      }),
      report: { line: 'Messages cancelled', ...counted },
    }),
    readMessageLogs: plainOperation({
      access: 'read',
      perform: ({ chosen }: ChosenInput, { caller }) => messages.logs(chosen, caller),
      view: ({ logs, cursor }, caller) => ({
        logs: logs.map(({ message, events }) => ({
          message: pushShownTo(caller, message),
          events,
        })),
        cursor,
      }),
    }),
    readDeadMessage: plainOperation({
      access: 'read',
      perform: ({ queue, id }: OneInput) => messages.readLetter(queue, id),
      view: (message, caller) => pushShownTo(caller, message),
    }),
    listDeadMessages: plainOperation({
      access: 'read',
      perform: ({ chosen }: ChosenInput, { caller }) => messages.letters(chosen, caller),
      view: ({ messages: found, cursor }, caller) => ({
        messages: found.map((message) => pushShownTo(caller, message)),
        cursor,
      }),
    }),
    retryDeadMessages: plainOperation({
      ...changing,
      action: 'message.retry',
      perform: ({ chosen }: ChangeInput, { caller }) => messages.retryLetters(chosen, caller),
      report: { line: 'Messages retried', ...counted },
    }),
    removeDeadMessages: plainOperation({
      ...changing,
      action: 'message.remove',
      perform: ({ chosen }: ChangeInput, { caller }) => messages.removeLetters(chosen, caller),
      report: { line: 'Messages removed', ...counted },
    }),
  };
}
