import type { ErasurePort } from '../../../../application/ports/erasure-port.ts';
import { forgetAdds } from '../../../../domain/transitions/forget-adds.ts';
import { forgetGroups } from '../../../../domain/transitions/groups/forgetting.ts';
import { redact } from '../../../../domain/transitions/redact.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { JobReading } from './job-reading.ts';
import { QueueSteps } from './queue-steps.ts';
import { eraseSteps } from './steps-erasure.ts';
import type { Steps } from './steps.ts';

/**
 * Erases in the memory of this process.
 *
 * @param large runs what goes in pieces.
 * @param scrub has the file of the store, if it has one, overwrite what is removed from it.
 */
export function memoryErasure(
  store: MemoryStore,
  large: Steps,
  scrub: () => Promise<void> = () => Promise.resolve(),
): ErasurePort {
  const steps = new QueueSteps(store);
  return {
    redact: async (name, ids, traces) => {
      const queue = store.find(name);
      if (queue === undefined) return 0;
      let redacted = 0;
      await new JobReading(queue).eachWhole(ids, (jobs) => {
        store.run((now) => {
          for (const job of jobs) {
            redacted += Number(redact(queue, job, now, (text) => traces.holds(text)));
          }
        });
      });
      return redacted;
    },
    forgetEvents: async (name, traces) => {
      const edit = store.find(name)?.events.edit((event) => traces.eventWithout(name, event));
      return { count: (await edit) ?? 0, last: undefined };
    },
    forgetAdds: steps.onKnown((queue, _, traces, filter) => forgetAdds(queue, traces, filter), 0),
    forgetSteps: (queue, jobs, filter) => eraseSteps(store, large, queue, jobs, filter),
    forgetGroups: steps.onKnown((queue, _, traces) => forgetGroups(queue, traces), undefined),
    scrub,
  };
}
