import { destinationOf, type Destination } from '../../domain/calls/destination.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { labelsOf, type FilteredPush } from '../../domain/messages/push-filter.ts';
import { PUSH_QUEUE } from '../../domain/messages/push-id.ts';
import { bodyText, pushOf, type Push, type PushContent } from '../../domain/messages/push.ts';
import type { Json } from '../../domain/values/json.ts';
import { parsedUrl } from '../../domain/values/parsed-url.ts';
import type { Destinations } from '../destinations/destinations.ts';

/** A job that was published as a message. */
export interface PushedMessage {
  readonly job: Job;
  readonly push: Push;
  readonly destination: Destination;
}

/** Undefined for a job that was published otherwise, or that only publishes a message when its time has come. */
export function messageOf(job: Job): PushedMessage | undefined {
  const [push, destination] = [pushOf(job.opts), destinationOf(job.opts)];
  const isMessage = push !== undefined && push.scheduled === undefined;
  return isMessage && destination !== undefined ? { job, push, destination } : undefined;
}

type OpensTexts = Pick<Destinations, 'openedText'>;

/** The body of a message. @param data of its job. @param url for which a hidden body is encrypted. */
export function contentOf(data: Json, push: Push, url: string, from: OpensTexts): PushContent {
  const { body, isBase64 } = push;
  return { data: body === undefined ? bodyText(data) : from.openedText(url, body), isBase64 };
}

/** @param status of the last answer. */
export function filteredPush(
  { job, push, destination: { url } }: PushedMessage,
  status: number | undefined,
): FilteredPush {
  const { topic, schedule, label, flowControl, callerIp } = push;
  const { host, hostname, pathname } = parsedUrl(url) ?? {};
  return {
    createdAt: job.timestamp,
    ...{ messageId: [job.id], url: [url], host: [host, hostname], path: [pathname] },
    ...{ topic: [topic], schedule: [schedule], label: labelsOf(label), callerIp: [callerIp] },
    queue: job.queue === PUSH_QUEUE ? [] : [job.queue],
    flowControlKey: [flowControl?.key],
    responseStatus: status === undefined ? [] : [String(status)],
  };
}
