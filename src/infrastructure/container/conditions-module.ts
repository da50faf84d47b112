import { ContainerModule } from 'inversify';
import { ConditionLook } from '../../application/hooks/condition-look.ts';
import { EndsReader } from '../../application/hooks/ends-reader.ts';
import { MissedSlotsReader } from '../../application/hooks/missed-slots-reader.ts';
import { QueueFactsReader } from '../../application/hooks/queue-facts-reader.ts';
import { token, tokens } from './tokens.ts';
import { Wiring } from './wiring.ts';

const endsReader = token<EndsReader>('ends reader');
const queueFactsReader = token<QueueFactsReader>('queue facts reader');
const missedSlotsReader = token<MissedSlotsReader>('missed slots reader');

/** The look at the conditions of hooks. */
export function conditionsModule(): ContainerModule {
  return new ContainerModule(({ bind }) => {
    const { inOrder, byName } = new Wiring(bind);
    inOrder(endsReader, EndsReader, [tokens.figuresPort, tokens.clockPort]);
    byName(queueFactsReader, QueueFactsReader, {
      hooks: tokens.hooksInForce,
      view: tokens.queueView,
      standings: tokens.queueStandingPort,
      ends: endsReader,
      clock: tokens.clockPort,
    });
    inOrder(missedSlotsReader, MissedSlotsReader, [
      tokens.schedulerPort,
      tokens.jobPartPort,
      tokens.clockPort,
    ]);
    byName(tokens.conditionLook, ConditionLook, {
      hooks: tokens.hooksInForce,
      store: tokens.hookStorePort,
      states: tokens.hookStatePort,
      facts: queueFactsReader,
      missedSlots: missedSlotsReader,
      deliveries: tokens.deliveryQueues,
      clock: tokens.clockPort,
      logger: tokens.loggerPort,
    });
  });
}
