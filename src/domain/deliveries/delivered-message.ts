import type { HookMessage } from '../hooks/hook-message.ts';
import { isObject, type Json } from '../values/json.ts';
import { summaryOfEnded, type EndedJob } from './ended-job.ts';

/** What a hook sends, by the data of its delivery: a message, or a job as the step that ended it left it. */
export function messageOf(data: Json): HookMessage {
  if (isObject(data) && 'message' in data) return data['message'] as unknown as HookMessage;
  const ended = data as unknown as EndedJob;
  const { type, at, queue, value, size, attemptsMade } = ended;
  return {
    kind: 'job',
    type,
    at,
    queue,
    job: summaryOfEnded(ended),
    value,
    ...(value === null && { valueSize: size }),
    attempts: attemptsMade,
  };
}
