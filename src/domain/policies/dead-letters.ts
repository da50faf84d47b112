import { callbackAfter } from '../jobs/callback.ts';
import type { Policy } from './policy.ts';

/**
 * The queues to which a policy in force sends copies of jobs that fail: by its default callback, or by the redrive of
 * messages.
 */
export function deadLetterQueuesOf({ defaults, messages }: Policy): readonly string[] {
  const callback = callbackAfter(defaults?.callback, 'failed');
  const isCopied = callback !== undefined && 'queue' in callback && callback.as === 'job';
  return [
    ...(isCopied ? [callback.queue] : []),
    ...(messages?.redrive === undefined ? [] : [messages.redrive.queue]),
  ];
}
