import type { Caller } from '../../domain/access/caller.ts';
import { urlShownTo } from '../../domain/access/shown-urls.ts';
import { entitled } from '../../domain/access/visible.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { without } from '../../domain/values/without.ts';
import type {
  ChangedPushes,
  ChosenPushes,
  PushedMessages,
  ShownPushes,
} from '../pushes/pushed-messages.ts';
import type { ShownPush } from '../pushes/shown-push.ts';
import { plainOperation } from './operation.ts';

interface ChosenInput {
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

type Reads = (chosen: ChosenPushes, caller: Caller) => Promise<ShownPushes>;

/** An operation that reads messages. */
function reading(read: Reads) {
  return plainOperation({
    access: 'read',
    queuesOf: ({ queues }: ChosenInput) => queues,
    perform: ({ chosen }: ChosenInput, { caller }) => read(chosen, caller),
    view: ({ messages, cursor }, caller) => ({
      messages: messages.map((message) => pushShownTo(caller, message)),
      cursor,
    }),
  });
}

type Changes = (chosen: ChosenPushes, caller: Caller) => Promise<ChangedPushes>;

/** An operation that changes messages. */
function changing(action: string, line: string, change: Changes) {
  return plainOperation({
    access: 'operate',
    action,
    queuesOf: ({ queues }: ChosenInput) => queues,
    perform: ({ chosen }: ChosenInput, { caller }) => change(chosen, caller),
    report: {
      line,
      fields: ({ ids }) => ({ done: ids.length }),
      hasChanged: ({ ids }) => ids.length > 0,
    },
  });
}

/** Messages of programs that speak QStash after they were published (further contract, section 24). */
export function pushedMessageOperations(messages: PushedMessages) {
  return {
    readMessages: reading((chosen, caller) => messages.pending(chosen, caller)),
    readDeadMessages: reading((chosen, caller) => messages.letters(chosen, caller)),
    readMessageLogs: reading((chosen, caller) => messages.logs(chosen, caller)),
    cancelMessages: changing('message.cancel', 'Messages cancelled', (chosen, caller) =>
      messages.cancel(chosen, caller),
    ),
    retryDeadMessages: changing('message.retry', 'Messages retried', (chosen, caller) =>
      messages.retryLetters(chosen, caller),
    ),
    removeDeadMessages: changing('message.remove', 'Messages removed', (chosen, caller) =>
      messages.removeLetters(chosen, caller),
    ),
  };
}
