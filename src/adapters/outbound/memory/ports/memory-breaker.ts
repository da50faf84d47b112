import type { BreakerPort } from '../../../../application/ports/breaker-port.ts';
import { openBreaker } from '../../../../domain/attempts/breaker.ts';
import { closeBreaker } from '../../../../domain/transitions/queue-control.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { QueueSteps } from './queue-steps.ts';

/** The breakers of the queues in the memory of this process. */
export function memoryBreaker(store: MemoryStore): BreakerPort {
  const steps = new QueueSteps(store);
  return {
    find: steps.onKnown(({ record }, now) => openBreaker(record.breaker, now), undefined),
    close: steps.onKnown((queue) => closeBreaker(queue), undefined),
  };
}
