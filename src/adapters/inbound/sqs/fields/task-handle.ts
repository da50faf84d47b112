import { isObject, parsedJson } from '../../../../domain/values/json.ts';
import { queueArn, queueOfArn } from './queue-arn.ts';

/** A task that moves messages, and the queue that it takes them from. */
export interface NamedTask {
  readonly queue: string;
  readonly task: string;
}

export function taskHandle({ queue, task }: NamedTask, region: string): string {
  const text = JSON.stringify({ taskId: task, sourceArn: queueArn(region, queue) });
  return Buffer.from(text).toString('base64');
}

/** The task of a handle; undefined for text that this service did not hand out. */
export function taskOf(handle: string): NamedTask | undefined {
  const parts = parsedJson(Buffer.from(handle, 'base64').toString());
  if (!isObject(parts)) return undefined;
  const { taskId: task, sourceArn: arn } = parts;
  const queue = typeof arn === 'string' ? queueOfArn(arn) : undefined;
  return typeof task === 'string' && queue !== undefined ? { queue, task } : undefined;
}
