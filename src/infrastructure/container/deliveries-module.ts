import { ContainerModule } from 'inversify';
import { CallbackSender } from '../../application/deliveries/callback-sender.ts';
import { DeliveryFleet } from '../../application/deliveries/delivery-fleet.ts';
import { DeliveryLog } from '../../application/deliveries/delivery-log.ts';
import { DeliveryQueues } from '../../application/deliveries/delivery-queues.ts';
import { JobCallbacks } from '../../application/deliveries/job-callbacks.ts';
import { HookSender } from '../../application/deliveries/hook-sender.ts';
import { StalledSweep } from '../../application/maintenance/stalled-sweep.ts';
import { pausedHook } from '../../domain/hooks/paused-hook.ts';
import { renewalInterval } from '../../domain/attempts/stalled.ts';
import type { Config } from '../config/config.ts';
import { tokens } from './tokens.ts';
import { resolve, Wiring } from './wiring.ts';

/** What is sent to others: the messages of hooks, and callbacks. */
export function deliveriesModule({ webhook, workers }: Config): ContainerModule {
  const { lockDuration, stalledInterval } = workers;
  return new ContainerModule(({ bind }) => {
    new Wiring(bind).byName(tokens.deliveryQueues, DeliveryQueues, {
      queues: tokens.queuePort,
      parts: tokens.jobPartPort,
      control: tokens.jobControlPort,
      queueControl: tokens.queueControlPort,
    });
    new Wiring(bind).inOrder(tokens.jobCallbacks, JobCallbacks, [tokens.deliveryQueues]);
    bind(tokens.deliveryFleet).toDynamicValue((context) => {
      const { callbacks, hooks, hookStore, deliveries, queues, sweeps, sent, ...ports } = resolve(
        context,
        {
          callbacks: tokens.callbacks,
          hooks: tokens.hooksInForce,
          hookStore: tokens.hookStorePort,
          deliveries: tokens.deliveryQueues,
          queues: tokens.queuePort,
          sweeps: tokens.attemptSweepPort,
          sent: tokens.deliveryObserver,
          attempts: tokens.attemptEnginePort,
          holders: tokens.attemptHolderPort,
          tokens: tokens.tokenPort,
          webhook: tokens.webhookPort,
          clock: tokens.clockPort,
          logger: tokens.loggerPort,
        },
      );
      const { clock, logger } = ports;
      const { publicUrl } = webhook;
      const observer = new DeliveryLog(logger, clock, sent);
      return new DeliveryFleet({
        hooks,
        ofHooks: new HookSender({ hooks, deliveries, queues, clock, publicUrl }),
        ofCallbacks: new CallbackSender(callbacks),
        sweep: new StalledSweep({
          // Jobs that clients pulled are in other queues.
          attempts: {
            recoverStalled: (queue, most) => sweeps.recoverStalled(queue, most),
            pulledQueues: () => Promise.resolve([]),
          },
          policies: { of: () => undefined },
          clock,
          logger,
          observer,
          interval: stalledInterval,
        }),
        pause: async (id, reason) => {
          await hookStore.change(id, (hook) => hook && pausedHook(hook, reason));
          await hooks.changed();
        },
        consumers: {
          ...ports,
          observer,
          lockDuration,
          renewalInterval: renewalInterval(lockDuration, stalledInterval),
        },
      });
    });
  });
}
