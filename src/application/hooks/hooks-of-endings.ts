import { keptOrMade } from '../../domain/values/kept-or-made.ts';
import { hooksToTell } from '../../domain/hooks/failing-hook.ts';
import { eventsOf, type Hook } from '../../domain/hooks/hook.ts';
import { JOB_EVENTS } from '../../domain/hooks/hook-events.ts';
import { NO_HOOKS_OF_JOBS, type HooksOfJobs } from '../../domain/hooks/hooks-of-jobs.ts';
import { hookOfQueue } from '../../domain/queues/own-queue.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { HooksInForce } from '../ports/hooks-in-force.ts';
import type { HooksOfQueues } from '../ports/hooks-of-queues.ts';

/**
 * The hooks in force that want to know how jobs end. The store needs them, and keeps the record that they are read from:
 * so what reads it comes later.
 */
export class HooksOfEndings implements HooksOfQueues {
  #inForce: Pick<HooksInForce, 'all' | 'watching'> | undefined;
  #all: readonly Hook[] | undefined;
  /** What the queues of hooks need, and all others beside their own. */
  #failing: HooksOfJobs = NO_HOOKS_OF_JOBS;
  /** By the list of the hooks of a queue, which is the same until one of them changes. */
  #known = new WeakMap<readonly Hook[], HooksOfJobs>();

  /** Asks these from now on; before, there are no hooks. */
  follow(inForce: Pick<HooksInForce, 'all' | 'watching'>): void {
    this.#inForce = inForce;
  }

  of(queue: QueueName): HooksOfJobs {
    if (this.#inForce === undefined) return NO_HOOKS_OF_JOBS;
    const all = this.#inForce.all();
    if (all !== this.#all) {
      this.#all = all;
      this.#failing = ofFailing(all);
      this.#known = new WeakMap();
    }
    const hooks = this.#inForce.watching(queue);
    if (hooks.length === 0) {
      return hookOfQueue(queue) === undefined ? NO_HOOKS_OF_JOBS : this.#failing;
    }
    return keptOrMade(this.#known, hooks, () => byEvent(hooks, this.#failing));
  }
}

function byEvent(hooks: readonly Hook[], failing: HooksOfJobs): HooksOfJobs {
  const named = hooks.map((hook) => ({ id: hook.id, events: eventsOf(hook) }));
  const entries = JOB_EVENTS.flatMap((event) => {
    const ids = named.filter(({ events }) => events.has(event)).map(({ id }) => id);
    return ids.length === 0 ? [] : [[event, ids] as const];
  });
  return entries.length === 0 ? NO_HOOKS_OF_JOBS : { ...Object.fromEntries(entries), ...failing };
}

function ofFailing(hooks: readonly Hook[]): HooksOfJobs {
  if (!hooks.some((hook) => eventsOf(hook).has('hook.failing'))) return NO_HOOKS_OF_JOBS;
  const entries = hooks.flatMap(({ id }) => {
    const told = hooksToTell(id, hooks).map((hook) => hook.id);
    return told.length === 0 ? [] : [[id, told] as const];
  });
  return entries.length === 0 ? NO_HOOKS_OF_JOBS : { failing: Object.fromEntries(entries) };
}
