import { namedQueues, type HookMessage } from '../../../domain/hooks/hook-message.ts';

/** The page of the dashboard about a queue. */
export function queuePage(publicUrl: string, queue: string): string {
  return pageOf(publicUrl, ['queues', queue]);
}

/** The page of the dashboard on which a person finds more about a message. */
export function messagePage(publicUrl: string, message: HookMessage): string {
  if (message.kind === 'job') {
    return pageOf(publicUrl, ['queues', message.queue, 'jobs', message.job.id]);
  }
  if (message.kind === 'failing') return pageOf(publicUrl, ['hooks', message.failing]);
  const [queue, ...others] = namedQueues(message);
  const isOne = others.length === 0 && !(message.kind === 'condition' && message.more > 0);
  return queue !== undefined && isOne ? queuePage(publicUrl, queue) : pageOf(publicUrl, []);
}

function pageOf(publicUrl: string, parts: readonly string[]): string {
  return [publicUrl, 'dashboard', ...parts.map(encodeURIComponent)].join('/');
}
