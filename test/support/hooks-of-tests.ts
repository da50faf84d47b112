import type { HooksOfQueues } from '../../src/application/ports/hooks-of-queues.ts';
import { NO_HOOKS_OF_JOBS } from '../../src/domain/hooks/hooks-of-jobs.ts';

const HOOKS = {
  'job.completed': ['done'],
  'job.failed': ['alerts', 'on-call'],
  'job.expired': ['alerts'],
  'job.cancelled': ['alerts'],
};

/** The hooks of every store of tests: they are about the queues whose names begin with `watched`. */
export const hooksOfTests: HooksOfQueues = {
  of: (queue) => (queue.startsWith('watched') ? HOOKS : NO_HOOKS_OF_JOBS),
};
