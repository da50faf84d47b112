import { coversQueues } from '../access/queue-patterns.ts';
import type { FailingMessage } from './hook-message.ts';
import { eventsOf, type Hook } from './hook.ts';

/**
 * The hooks that get a `hook.failing` about a hook, which are never that hook. A hook learns only of those whose queues
 * are among its own.
 */
export function hooksToTell(failing: string, hooks: readonly Hook[]): readonly Hook[] {
  const queues = hooks.find(({ id }) => id === failing)?.queues ?? null;
  return hooks.filter(
    (hook) =>
      hook.id !== failing &&
      !hook.paused &&
      eventsOf(hook).has('hook.failing') &&
      coversQueues(hook.queues ?? null, queues),
  );
}

/** The id of the message that tells a hook about a failed delivery of another one. */
export function failingIdOf(hook: string, delivery: string): string {
  return `${hook}.failing.${delivery}`;
}

/** That a delivery of a hook failed for good. */
export function failingMessage(
  facts: Pick<FailingMessage, 'at' | 'failing' | 'delivery' | 'reason' | 'job'>,
): FailingMessage {
  return { kind: 'failing', type: 'hook.failing', ...facts };
}
