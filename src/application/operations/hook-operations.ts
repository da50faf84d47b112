import { calledShownTo } from '../../domain/access/shown-urls.ts';
import { entitled } from '../../domain/access/visible.ts';
import type { HookInput } from '../../domain/hooks/hook.ts';
import type { HookTest } from '../hooks/hook-test.ts';
import type { Hooks } from '../hooks/hooks.ts';
import type { Ordered, Previewable } from './in-queue.ts';
import { operation } from './operation.ts';
import { testShownTo } from './shown-test.ts';

interface OfHook {
  readonly hook: string;
}

type SaveInput = OfHook & Ordered<HookInput> & Previewable;

interface OfDelivery extends OfHook {
  readonly delivery: string;
}

/** Hooks: where the service says that something is wrong, and when it is over (reach contract, section 17). */
export function hookOperations(hooks: Hooks, test: HookTest) {
  const fields = (_: unknown, { hook }: OfHook): { readonly hook: string } => ({ hook });
  return {
    save: operation({
      id: 'saveHook',
      access: 'configure',
      action: 'hook.save',
      perform: async ({ hook: id, order, dryRun }: SaveInput, { caller }) => {
        if (dryRun) return hooks.preview(id, order, caller);
        const { hook, secret } = await hooks.put(id, order, caller);
        return { ...hook, ...(secret !== undefined && { secret }) };
      },
      report: { line: 'Hook stored', fields, hasChanged: (_, { dryRun }: SaveInput) => !dryRun },
      view: (hook) => entitled(hook),
    }),
    list: operation({
      id: 'listHooks',
      access: 'read',
      perform: (_: unknown, { caller }) => hooks.list(caller),
      view: (listed, caller) => listed.map((hook) => entitled(calledShownTo(caller, hook))),
    }),
    read: operation({
      id: 'readHook',
      access: 'read',
      perform: ({ hook }: OfHook, { caller }) => hooks.read(hook, caller),
      view: (hook, caller) => entitled(calledShownTo(caller, hook)),
    }),
    remove: operation({
      id: 'removeHook',
      access: 'configure',
      action: 'hook.remove',
      perform: ({ hook }: OfHook, { caller }) => hooks.remove(hook, caller),
      report: { line: 'Hook removed', fields },
    }),
    rotateSecret: operation({
      id: 'rotateHookSecret',
      access: 'configure',
      action: 'hook.rotate-secret',
      needsFreshSession: true,
      perform: async ({ hook }: OfHook, { caller }) => ({
        secret: await hooks.rotateSecret(hook, caller),
      }),
      report: { line: 'Secret of a hook rotated', fields },
    }),
    test: operation({
      id: 'testHook',
      access: 'operate',
      action: 'hook.test',
      perform: ({ hook }: OfHook, { caller }) => test.run(hook, caller),
      report: { line: 'Hook tested by a client', fields: (_, { hook }) => ({ hook }) },
      view: testShownTo,
    }),
    listDeliveries: operation({
      id: 'listHookDeliveries',
      access: 'read',
      perform: async ({ hook, length }: OfHook & { readonly length: number }, { caller }) => ({
        deliveries: await hooks.deliveries(hook, length, caller),
      }),
    }),
    resend: operation({
      id: 'resendHookDelivery',
      access: 'operate',
      action: 'hook.resend',
      perform: ({ hook, delivery }: OfDelivery, { caller }) => hooks.resend(hook, delivery, caller),
      report: {
        line: 'Message of a hook sent again',
        fields: (_, { hook, delivery }) => ({ hook, delivery }),
      },
    }),
  };
}

export type HookOperations = ReturnType<typeof hookOperations>;
