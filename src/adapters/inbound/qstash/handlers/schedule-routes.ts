import type { OperationCatalogue } from '../../../../application/operation-catalogue.ts';
import { PUSH_QUEUE } from '../../../../domain/messages/push-id.ts';
import { invalidRequest } from '../../../../domain/errors.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { outgoing, textOf } from '../fields/message-headers.ts';
import { shownSchedule } from '../fields/shown-message.ts';
import { lists, performs, type Handled, type QstashCall, type Routes } from './handler.ts';

type Operations = Pick<OperationCatalogue, 'pushSchedules' | 'schedulers'>;

const CRON = 'upstash-cron';

/** Schedules: a message is published by one at each time of its cron pattern. */
export function scheduleRoutes({ pushSchedules: operations, schedulers }: Operations): Routes {
  const named = ({ names }: QstashCall) => {
    return { queue: PUSH_QUEUE, schedulerId: names['id'] ?? '', order: {} };
  };
  const pause = performs(schedulers.pauseScheduler, named);
  const resume = performs(schedulers.resumeScheduler, named);
  return {
    'GET schedules': lists(operations.listSchedules, shownSchedule),
    'GET schedules/:id': performs(operations.readSchedule, named, shownSchedule),
    'DELETE schedules/:id': performs(schedulers.removeScheduler, named),
    'PATCH schedules/:id/pause': pause,
    'PATCH schedules/:id/resume': resume,
    'POST schedules/:id/pause': pause,
    'POST schedules/:id/resume': resume,
    // After the paths that a destination could be taken for.
    'POST schedules/*': (call) => {
      const queue = call.headers['upstash-queue-name'];
      return schedule(operations, call, queue ? call.queueNamed(queue) : PUSH_QUEUE);
    },
  };
}

/** Whether a message is to be published by a schedule. */
export function isScheduled({ headers }: Pick<QstashCall, 'headers'>): boolean {
  return (headers[CRON] ?? '') !== '';
}

/** Stores the message of a request as a schedule. @throws DomainError `invalid-request` */
export async function schedule(
  operations: OperationCatalogue['pushSchedules'],
  call: QstashCall,
  queue: QueueName,
): Promise<Handled> {
  const { headers } = call;
  const cron = headers[CRON]?.trim() ?? '';
  if (cron === '') throw invalidRequest('Upstash-Cron must be a cron expression', 'Upstash-Cron');
  const [, zone, pattern = cron] = /^(?:CRON_TZ|TZ)=(\S+)\s+(.*)$/.exec(cron) ?? [];
  const scheduleId = await call.perform(operations.saveSchedule, {
    id: textOf(headers, 'upstash-schedule-id'),
    pattern,
    zone,
    message: outgoing(call, queue),
  });
  return { status: 201, result: { scheduleId } };
}
