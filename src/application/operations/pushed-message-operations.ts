import type { Caller } from '../../domain/access/caller.ts';
import { urlShownTo } from '../../domain/access/shown-urls.ts';
import { entitled } from '../../domain/access/visible.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { without } from '../../domain/values/without.ts';
import type { ChosenPushes, FoundPushes, PushedMessages } from '../pushes/pushed-messages.ts';
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

type Finds<Found> = (chosen: ChosenPushes, caller: Caller) => Promise<FoundPushes<Found>>;

/** An operation that reads messages. */
function reading(read: Finds<ShownPush>) {
  return plainOperation({
    access: 'read',
    queuesOf: ({ queues }: ChosenInput) => queues,
    perform: ({ chosen }: ChosenInput, { caller }) => read(chosen, caller),
    view: ({ found, cursor }, caller) => ({
      found: found.map((message) => pushShownTo(caller, message)),
      cursor,
    }),
  });
}

/** An operation that changes messages. */
function changing(action: string, line: string, change: Finds<string>) {
  return plainOperation({
    access: 'operate',
    action,
    queuesOf: ({ queues }: ChosenInput) => queues,
    perform: ({ chosen }: ChosenInput, { caller }) => change(chosen, caller),
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
    readMessages: reading((...of) => messages.pending(...of)),
    readDeadMessages: reading((...of) => messages.letters(...of)),
    readMessageLogs: reading((...of) => messages.logs(...of)),
    cancelMessages: changing('message.cancel', 'Messages cancelled', (...of) =>
      messages.cancel(...of),
    ),
    retryDeadMessages: changing('message.retry', 'Messages retried', (...of) =>
      messages.retryLetters(...of),
    ),
    removeDeadMessages: changing('message.remove', 'Messages removed', (...of) =>
      messages.removeLetters(...of),
    ),
  };
}
