import { HooksOfEndings } from '../../src/application/hooks/hooks-of-endings.ts';
import type { HooksOfQueues } from '../../src/application/ports/hooks-of-queues.ts';
import { queuesOf, type Hook } from '../../src/domain/hooks/hook.ts';
import { plainHook } from './plain-hook.ts';

/** Queues whose names begin with `watched`; the second pattern has the names of the service's own queues, too. */
const queues = ['watched*', ':*'];

const HOOKS: readonly Hook[] = [
  { ...plainHook('alerts'), queues, events: ['job.failed', 'job.expired', 'job.cancelled'] },
  { ...plainHook('done'), queues, events: ['job.completed'] },
  { ...plainHook('on-call'), queues, events: ['job.failed'] },
  { ...plainHook('crowded'), queues: ['crowded*'], events: ['job.completed'] },
  { ...plainHook('told'), queues: ['*'], events: ['hook.failing'] },
];

const endings = new HooksOfEndings();
endings.follow({
  all: () => HOOKS,
  watching: (queue) => HOOKS.filter((hook) => queuesOf(hook)(queue)),
});

/** The hooks of every store of tests. */
export const hooksOfTests: HooksOfQueues = endings;
