import { CallbackSender } from '../../application/deliveries/callback-sender.ts';
import { DeliveryFleet } from '../../application/deliveries/delivery-fleet.ts';
import { DeliveryLog } from '../../application/deliveries/delivery-log.ts';
import { HookSender } from '../../application/deliveries/hook-sender.ts';
import { ConditionLook } from '../../application/hooks/condition-look.ts';
import { EndsReader } from '../../application/hooks/ends-reader.ts';
import { HookTest } from '../../application/hooks/hook-test.ts';
import { Hooks } from '../../application/hooks/hooks.ts';
import { MissedSlotsReader } from '../../application/hooks/missed-slots-reader.ts';
import { QueueFactsReader } from '../../application/hooks/queue-facts-reader.ts';
import { StalledSweep } from '../../application/maintenance/stalled-sweep.ts';
import { renewalInterval } from '../../domain/attempts/stalled.ts';
import { pausedHook } from '../../domain/hooks/paused-hook.ts';
import type { Config } from '../config/config.ts';
import type { SharedParts } from './shared-parts.ts';

/** Hooks and their conditions, and what sends the messages of hooks and callbacks. */
export function composeHooks(
  shared: SharedParts,
  { workers: { lockDuration, stalledInterval } }: Config,
) {
  const { attempts, callbacks, clock, hooks: inForce, hookStore: store, logger } = shared;
  const { holders, parts, schedulers, tokens, webhook } = shared;
  const hooks = new Hooks({ ...shared, store, inForce });
  const observer = new DeliveryLog(logger, clock, shared.deliveryObserver);
  const facts = new QueueFactsReader({ ...shared, ends: new EndsReader(shared.figures, clock) });
  return {
    useCases: { hooks, hookTest: new HookTest({ ...shared, hooks }) },
    conditions: new ConditionLook({
      ...shared,
      store,
      states: shared.hookStates,
      facts,
      missedSlots: new MissedSlotsReader(schedulers, parts, clock),
    }),
    deliveryFleet: new DeliveryFleet({
      hooks: inForce,
      ofHooks: new HookSender(shared),
      ofCallbacks: new CallbackSender(callbacks),
      sweep: new StalledSweep({
        // Jobs that clients pulled are in other queues.
        attempts: {
          recoverStalled: (queue, most) => attempts.recoverStalled(queue, most),
          pulledQueues: () => Promise.resolve([]),
        },
        policies: { of: () => undefined },
        clock,
        logger,
        observer,
        interval: stalledInterval,
      }),
      pause: async (id, reason) => {
        await store.change(id, (hook) => pausedHook(hook, reason));
        await inForce.changed();
      },
      // Deliveries are not traced.
      consumers: {
        attempts,
        holders,
        tokens,
        webhook,
        clock,
        logger,
        observer,
        lockDuration,
        renewalInterval: renewalInterval(lockDuration, stalledInterval),
      },
    }),
  };
}
