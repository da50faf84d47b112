import type { ShownSchedule } from '../../../../application/pushes/push-schedules.ts';
import type { ShownPush } from '../../../../application/pushes/shown-push.ts';
import type { FlowControl } from '../../../../domain/messages/push.ts';
import { labelsOf } from '../../../../domain/messages/push-filter.ts';
import { shownHeaders } from '../../../../domain/messages/shown-headers.ts';

/** A message as clients of QStash read it: what its caller may not see is left out. */
export function shownMessage(message: ShownPush): object {
  const { id, queue, topic, endpointName, retries, schedule, createdAt, notBefore } = message;
  return {
    ...{ messageId: id, queueName: queue, topicName: topic, urlGroup: topic, endpointName },
    ...{ url: message.url, maxRetries: retries, scheduleId: schedule, createdAt, notBefore },
    ...shownCall(message),
  };
}

/** A message in its logs, where the body is in base64, and where one client knows the pause by another name. */
export function shownLogged(message: ShownPush): object {
  const { data, isBase64, retryDelay } = message;
  const body = data === undefined || isBase64 ? data : Buffer.from(data).toString('base64');
  return {
    ...shownMessage({ ...message, data: body, isBase64: false }),
    retryDelayExpr: retryDelay,
  };
}

/** A message of the dead letter queue. Clients expect a status also where no answer came: 0. */
export function shownLetter(message: ShownPush): object {
  const { status, response } = message.last ?? {};
  return {
    ...{ ...shownMessage(message), dlqId: message.id },
    ...{ responseStatus: status ?? 0, responseBody: response ?? undefined },
  };
}

export function shownSchedule({ message, delay, paused, ...schedule }: ShownSchedule): object {
  const { id, cron, createdAt, next, last } = schedule;
  const { url, retries, queue } = message;
  return {
    ...{ scheduleId: id, cron, createdAt, destination: url, retries, queueName: queue },
    ...{ isPaused: paused, nextScheduleTime: next, lastScheduleTime: last },
    delay: delay === undefined ? undefined : Math.ceil(delay / 1000),
    ...shownCall(message),
  };
}

/** What messages and schedules say of their calls. */
function shownCall(message: ShownPush): object {
  const { method, retryDelay, callback, failureCallback, callerIp, flowControl, label } = message;
  return {
    ...{ method, retryDelayExpression: retryDelay, callback, failureCallback },
    ...{ callerIP: callerIp, callerIp, ...shownContent(message) },
    ...{ ...shownFlowControl(flowControl), ...shownLabels(label) },
  };
}

function shownContent({ headers, data, isBase64 }: ShownPush): object {
  const header = headers && shownHeaders(headers);
  return { header, [isBase64 ? 'bodyBase64' : 'body']: data === '' ? undefined : data };
}

function shownFlowControl(control: FlowControl | undefined): object {
  if (control === undefined) return {};
  const { key, parallelism, rate, period = 1000 } = control;
  return { flowControlKey: key, parallelism, rate, ratePerSecond: rate, period: period / 1000 };
}

function shownLabels(label: string | undefined): object {
  const labels = labelsOf(label);
  return labels.length === 0 ? {} : { label: labels[0], labels };
}
