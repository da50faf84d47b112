import type { JobEndingsPort } from '../../../../application/ports/job-endings-port.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** The ends of jobs in the memory of this process, reported as they happen. */
export function memoryJobEndings({ endingSubscribers }: MemoryStore): JobEndingsPort {
  return { subscribe: (queue) => Promise.resolve(endingSubscribers.subscribe(queue)) };
}
