import type { ShownSchedule } from '../../../../application/pushes/push-schedules.ts';
import type { ShownPush } from '../../../../application/pushes/shown-push.ts';
import type { FlowControl } from '../../../../domain/messages/push.ts';
import { labelsOf } from '../../../../domain/messages/push-filter.ts';

/** A message as clients of QStash read it: what its caller may not see is left out. */
export function shownMessage(message: ShownPush): object {
  const { id, queue, url, topic, endpointName, method, retries, retryDelay, schedule } = message;
  const { callback, failureCallback, callerIp, createdAt, notBefore } = message;
  return {
    messageId: id,
    url,
    topicName: topic,
    urlGroup: topic,
    endpointName,
    method,
    ...shownContent(message),
    maxRetries: retries,
    retryDelayExpression: retryDelay,
    notBefore,
    createdAt,
    callback,
    failureCallback,
    queueName: queue,
    scheduleId: schedule,
    callerIP: callerIp,
    callerIp,
    ...shownFlowControl(message.flowControl),
    ...shownLabels(message.label),
  };
}

/** A message of the dead letter queue. */
export function shownLetter(message: ShownPush): object {
  const { status, response } = message.last ?? {};
  return {
    ...shownMessage(message),
    dlqId: message.id,
    responseStatus: status ?? undefined,
    responseBody: response ?? undefined,
  };
}

export function shownSchedule({
  id,
  cron,
  paused,
  createdAt,
  delay,
  next,
  last,
  message,
}: ShownSchedule): object {
  const { url, method, retries, retryDelay, callback, failureCallback, callerIp, queue } = message;
  return {
    scheduleId: id,
    cron,
    createdAt,
    destination: url,
    method,
    ...shownContent(message),
    retries,
    retryDelayExpression: retryDelay,
    delay: delay === undefined ? undefined : Math.ceil(delay / 1000),
    callback,
    failureCallback,
    callerIP: callerIp,
    isPaused: paused,
    queueName: queue,
    nextScheduleTime: next,
    lastScheduleTime: last,
    ...shownFlowControl(message.flowControl),
    ...shownLabels(message.label),
  };
}

function shownContent({ headers, data, isBase64 }: ShownPush): object {
  const header = headers && Object.fromEntries(Object.entries(headers).map(named));
  return { header, ...(isBase64 ? { bodyBase64: data } : { body: data }) };
}

/** Names of headers are kept in lower case. */
function named([name, value]: readonly [string, string]): readonly [string, readonly string[]] {
  return [name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()), [value]];
}

function shownFlowControl(control: FlowControl | undefined): object {
  if (control === undefined) return {};
  const { key, parallelism, rate, period } = control;
  const seconds = rate === undefined ? undefined : (period ?? 1000) / 1000;
  return { flowControlKey: key, parallelism, rate, ratePerSecond: rate, period: seconds };
}

export function shownLabels(label: string | undefined): object {
  const labels = labelsOf(label);
  return labels.length === 0 ? {} : { label: labels[0], labels };
}
