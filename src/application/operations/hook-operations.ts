import { calledShownTo } from '../../domain/access/shown-urls.ts';
import { entitled } from '../../domain/access/visible.ts';
import { hookShape } from '../../domain/hooks/hook.ts';
import { secretShape } from '../../domain/values/secret-text.ts';
import { integer, object, required, listOf } from '../../domain/values/shape.ts';
import { testCallReportShape } from '../calls/test-call.ts';
import type { HookTest } from '../hooks/hook-test.ts';
import type { Hooks } from '../hooks/hooks.ts';
import { savedHookAnswer, hookAnswer, deliveriesAnswer } from './answers/hook-answers.ts';
import { place, withOrder } from './input.ts';
import { operation } from './operation.ts';
import { previewable, wholeNumber } from './options.ts';
import { answers, done } from './out.ts';
import { testShownTo } from './shown-test.ts';

/** No endpoint takes headers longer than this, and every replica keeps workers and hooks in memory. */
const MAX_HOOK_BODY = 262_144;

const ofHook = { hook: place() };

/** Hooks: where the service says that something is wrong, and when it is over (reach contract, section 17). */
export function hookOperations(hooks: Hooks, test: HookTest) {
  const fields = (_: unknown, { hook }: { readonly hook: string }) => ({ hook });
  return {
    saveHook: operation({
      access: 'configure',
      action: 'hook.save',
      summary: 'Store a hook, which sends messages to a URL, in place of any other of its id',
      description:
        'The token must be allowed to use all queues of the hook and, for ends of jobs, have the ' +
        'right `data`. The answer has a secret if a new one was made.',
      in: { ...ofHook, ...previewable, ...withOrder(hookShape, 'a hook', { most: MAX_HOOK_BODY }) },
      out: answers(savedHookAnswer, 'The hook'),
      errors: ['too-many-hooks'],
      perform: async ({ hook: id, order, dryRun }, { caller }) => {
        if (dryRun) return hooks.preview(id, order, caller);
        const { hook, secret } = await hooks.put(id, order, caller);
        return { ...hook, ...(secret !== undefined && { secret }) };
      },
      view: (hook) => entitled(hook),
      report: { line: 'Hook stored', fields },
    }),
    listHooks: operation({
      access: 'read',
      summary: 'List the hooks',
      description: 'Those that reach beyond the queues of the token are left out.',
      in: {},
      out: answers(
        object('Hooks', {
          total: required(integer(0), 'How many there are'),
          hooks: required(listOf(hookAnswer), 'The hooks, by id'),
        }),
        'The hooks',
      ),
      perform: (_, { caller }) => hooks.list(caller),
      view: (listed, caller) => listed.map((hook) => entitled(calledShownTo(caller, hook))),
    }),
    readHook: operation({
      access: 'read',
      summary: 'Read a hook',
      description: 'The values of its headers are not shown, nor its secrets.',
      in: ofHook,
      out: answers(hookAnswer, 'The hook'),
      errors: ['hook-not-found'],
      perform: ({ hook }, { caller }) => hooks.read(hook, caller),
      view: (hook, caller) => entitled(calledShownTo(caller, hook)),
    }),
    removeHook: operation({
      access: 'configure',
      action: 'hook.remove',
      summary: 'Remove a hook with its messages, also those that are not yet sent',
      description: 'A message that is being sent may still arrive.',
      in: ofHook,
      out: done('The hook is removed'),
      errors: ['hook-not-found'],
      perform: ({ hook }, { caller }) => hooks.remove(hook, caller),
      report: { line: 'Hook removed', fields },
    }),
    rotateHookSecret: operation({
      access: 'configure',
      action: 'hook.rotate-secret',
      needsFreshSession: true,
      summary:
        'Add a new secret that signs the calls of a hook; the previous one signs too for a day',
      description:
        'The answer has the new secret, which is shown this once. Receivers that know either ' +
        'secret accept the calls.',
      in: ofHook,
      out: answers(secretShape, 'The secret, which is shown only this once'),
      errors: ['hook-not-found', 'hook-unsigned', 'hook-unreadable', 'too-many-secrets'],
      perform: async ({ hook }, { caller }) => ({
        secret: await hooks.rotateSecret(hook, caller),
      }),
      report: { line: 'Secret of a hook rotated', fields },
    }),
    testHook: operation({
      access: 'operate',
      action: 'hook.test',
      summary: 'Send one `hook.test` at once, and report the answer',
      description:
        'The call is signed as others are, and the answer shows what was sent and what came back. ' +
        'It is no delivery, and is made also while the hook is paused.',
      in: ofHook,
      out: answers(testCallReportShape, 'How the call went'),
      errors: ['hook-not-found', 'hook-unreadable'],
      perform: ({ hook }, { caller }) => test.run(hook, caller),
      view: testShownTo,
      report: { line: 'Hook tested by a client', fields: (_, { hook }) => ({ hook }) },
    }),
    listHookDeliveries: operation({
      access: 'read',
      summary: 'List the latest messages of a hook, and what became of them',
      description: 'The newest first. They are kept for 7 days.',
      in: { ...ofHook, length: wholeNumber(integer(1, 100), 50, 'Most deliveries to return') },
      out: answers(deliveriesAnswer, 'The deliveries, newest first'),
      errors: ['hook-not-found'],
      perform: async ({ hook, length }, { caller }) => ({
        deliveries: await hooks.deliveries(hook, length, caller),
      }),
    }),
    resendHookDelivery: operation({
      access: 'operate',
      action: 'hook.resend',
      summary: 'Send a message of a hook again, with its id',
      description: 'Its attempts begin anew.',
      in: { ...ofHook, delivery: place<string>() },
      out: done('The message is sent again'),
      errors: ['hook-not-found', 'delivery-not-found'],
      perform: ({ hook, delivery }, { caller }) => hooks.resend(hook, delivery, caller),
      report: {
        line: 'Message of a hook sent again',
        fields: (_, { hook, delivery }) => ({ hook, delivery }),
      },
    }),
  };
}
