import { destinationOf, type Destination } from '../../domain/calls/destination.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { FilteredPush } from '../../domain/messages/push-filter.ts';
import { PUSH_QUEUE } from '../../domain/messages/push-id.ts';
import { pushOf, type Push } from '../../domain/messages/push.ts';

/** A job that was published as a message. */
export interface PushedMessage {
  readonly job: Job;
  readonly push: Push;
  readonly destination: Destination;
  readonly facts: FilteredPush;
}

/** Undefined for a job that was published otherwise, or that only publishes a message when its time has come. */
export function messageOf(job: Job): PushedMessage | undefined {
  const push = pushOf(job.opts);
  const destination = destinationOf(job.opts);
  if (push === undefined || destination === undefined || push.scheduled !== undefined)
    return undefined;
  const { topic, schedule, label, flowControl, callerIp } = push;
  return {
    job,
    push,
    destination,
    facts: {
      id: job.id,
      queue: job.queue === PUSH_QUEUE ? undefined : job.queue,
      url: destination.url,
      createdAt: job.timestamp,
      ...{ topic, schedule, label, callerIp, flowControlKey: flowControl?.key },
    },
  };
}
