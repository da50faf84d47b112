import type { HookOperations } from '../../../../../application/operations/hook-operations.ts';
import { queueOfHook } from '../../../../../domain/queues/own-queue.ts';
import { messageId } from '../../../../shared/message-id.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import { inPieces, jsonList } from '../../messages/json-list.ts';
import { jsonContent, okContent } from '../../messages/operation.ts';
import { json } from '../../messages/reply.ts';
import { route, type Route } from '../route.ts';
import { secretAnswer } from '../schemas/answer-shapes.ts';
import { hookBody } from '../schemas/body-formats.ts';
import {
  deliveriesAnswer,
  hookAnswer,
  hooksAnswer,
  savedHookAnswer,
} from '../schemas/hook-answers.ts';
import { dryRunQuery, hookDeliveriesQuery } from '../schemas/query-schemas.ts';
import { workerTestAnswer } from '../schemas/worker-answers.ts';

/** How many hooks of a list are written at once: each may have tens of kilobytes. */
const WRITTEN_AT_ONCE = 5;

/** Hooks: where the service says that something is wrong, and when it is over (reach contract, section 17). */
export function hookRoutes(hooks: HookOperations, turns: EventLoopTurns): readonly Route[] {
  const one = { tag: 'Hooks', path: '/hooks/:hook' } as const;

  return [
    route({
      ...one,
      method: 'PUT',
      operation: hooks.save,
      summary: 'Store a hook, which sends messages to a URL, in place of any other of its id',
      description:
        'The token must be allowed to use all queues of the hook and, for ends of jobs, have the ' +
        'right `data`. The answer has a secret if a new one was made.',
      replies: { 200: jsonContent(savedHookAnswer, 'The hook') },
      errors: ['too-many-hooks'],
      body: hookBody,
      query: dryRunQuery,
    }),
    route({
      tag: 'Hooks',
      method: 'GET',
      path: '/hooks',
      operation: hooks.list,
      summary: 'List the hooks',
      description: 'Those that reach beyond the queues of the token are left out.',
      replies: { 200: jsonContent(hooksAnswer, 'The hooks') },
      reply: (listed) => {
        const { length: total } = listed;
        return jsonList(
          inPieces(listed, WRITTEN_AT_ONCE),
          (some) => ({ total, hooks: some }),
          turns,
        );
      },
    }),
    route({
      ...one,
      method: 'GET',
      operation: hooks.read,
      summary: 'Read a hook',
      description: 'The values of its headers are not shown, nor its secrets.',
      replies: { 200: jsonContent(hookAnswer, 'The hook') },
      errors: ['hook-not-found'],
    }),
    route({
      ...one,
      method: 'DELETE',
      operation: hooks.remove,
      summary: 'Remove a hook with its messages, also those that are not yet sent',
      description: 'A message that is being sent may still arrive.',
      replies: { 200: okContent('The hook is removed') },
      errors: ['hook-not-found'],
    }),
    route({
      ...one,
      method: 'POST',
      path: '/hooks/:hook/rotate-secret',
      operation: hooks.rotateSecret,
      summary:
        'Add a new secret that signs the calls of a hook; the previous one signs too for a day',
      description:
        'The answer has the new secret, which is shown this once. Receivers that know either ' +
        'secret accept the calls.',
      replies: { 200: jsonContent(secretAnswer, 'The secret, which is shown only this once') },
      errors: ['hook-not-found', 'hook-unsigned', 'hook-unreadable', 'too-many-secrets'],
    }),
    route({
      ...one,
      method: 'POST',
      path: '/hooks/:hook/test',
      operation: hooks.test,
      summary: 'Send one `hook.test` at once, and report the answer',
      description:
        'The call is signed as others are, and the answer shows what was sent and what came back. ' +
        'It is no delivery, and is made also while the hook is paused.',
      replies: { 200: jsonContent(workerTestAnswer, 'How the call went') },
      errors: ['hook-not-found', 'hook-unreadable'],
    }),
    route({
      ...one,
      method: 'GET',
      path: '/hooks/:hook/deliveries',
      operation: hooks.listDeliveries,
      summary: 'List the latest messages of a hook, and what became of them',
      description: 'The newest first. They are kept for 7 days.',
      replies: { 200: jsonContent(deliveriesAnswer, 'The deliveries, newest first') },
      errors: ['hook-not-found'],
      query: hookDeliveriesQuery,
      reply: ({ deliveries }, { parameters: { hook } }) =>
        json({
          deliveries: deliveries.map((delivery) => {
            const { id, createdAt: timestamp } = delivery;
            const webhookId = messageId({ queue: queueOfHook(hook), id, timestamp });
            return { ...delivery, webhookId };
          }),
        }),
    }),
    route({
      ...one,
      method: 'POST',
      path: '/hooks/:hook/deliveries/:delivery/resend',
      operation: hooks.resend,
      summary: 'Send a message of a hook again, with its id',
      description: 'Its attempts begin anew.',
      replies: { 200: okContent('The message is sent again') },
      errors: ['hook-not-found', 'delivery-not-found'],
    }),
  ];
}
