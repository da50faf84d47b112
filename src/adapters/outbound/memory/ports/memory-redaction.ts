import { leftFrom } from '../../../../application/ports/left-from.ts';
import {
  JOBS_PER_REDACTION,
  type KeptPayloads,
  type RedactionPort,
} from '../../../../application/ports/redaction-port.ts';
import { redact, redactable } from '../../../../domain/transitions/redact.ts';
import { withoutValuesOf } from '../../../../domain/events/kept-event.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { JobReading } from './job-reading.ts';

/** Redacts jobs that ended in the memory of this process. */
export function memoryRedaction(store: MemoryStore): RedactionPort {
  const redactIn = async ({ queue: name, keep }: KeptPayloads, most: number): Promise<number> => {
    const queue = store.find(name);
    if (queue === undefined) return 0;
    const ids = redactable(queue, store.now() - keep, most).map(({ id }) => id);
    if (ids.length === 0) return 0;
    await new JobReading(queue).eachWhole(ids, (jobs) => {
      store.run((now) => {
        for (const job of jobs) redact(queue, job, now);
      });
    });
    await queue.events.edit(withoutValuesOf(new Set(ids)));
    return ids.length;
  };
  return {
    redactBeyond: async (queues) => {
      let redacted = 0;
      for (const [index, each] of queues.entries()) {
        redacted += await redactIn(each, JOBS_PER_REDACTION - redacted);
        if (redacted >= JOBS_PER_REDACTION)
          return { count: redacted, left: leftFrom(queues, index) };
      }
      return { count: redacted, left: [] };
    },
  };
}
