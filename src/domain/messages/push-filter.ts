import { parsedUrl } from '../values/parsed-url.ts';

/** Messages that a client asks for: each criterion is met by one of its values, and all of them by a message. */
export interface PushFilter {
  /** When a message was published, epoch ms. */
  readonly from?: number;
  readonly to?: number;
  readonly messageId?: readonly string[];
  readonly url?: readonly string[];
  readonly host?: readonly string[];
  readonly path?: readonly string[];
  readonly topic?: readonly string[];
  readonly schedule?: readonly string[];
  readonly queue?: readonly string[];
  readonly label?: readonly string[];
  readonly flowControlKey?: readonly string[];
  readonly callerIp?: readonly string[];
  /** The status of the last answer. */
  readonly responseStatus?: readonly number[];
}

/** What a filter examines of a message. */
export interface FilteredPush {
  readonly id: string;
  /** Undefined for a message that was published to no queue. */
  readonly queue: string | undefined;
  readonly url: string;
  readonly createdAt: number;
  readonly topic?: string | undefined;
  readonly schedule?: string | undefined;
  readonly label?: string | undefined;
  readonly flowControlKey?: string | undefined;
  readonly callerIp?: string | undefined;
  readonly responseStatus?: number | undefined;
}

export function matchesPush(filter: PushFilter, message: FilteredPush): boolean {
  const { from = 0, to = Infinity } = filter;
  if (message.createdAt < from || message.createdAt > to) return false;
  const url = parsedUrl(message.url);
  const has = <Value>(
    wanted: readonly Value[] | undefined,
    ...values: readonly (Value | undefined)[]
  ): boolean =>
    wanted === undefined || values.some((value) => value !== undefined && wanted.includes(value));
  return (
    has(filter.messageId, message.id) &&
    has(filter.url, message.url) &&
    has(filter.host, url?.host, url?.hostname) &&
    has(filter.path, url?.pathname) &&
    has(filter.topic, message.topic) &&
    has(filter.schedule, message.schedule) &&
    has(filter.queue, message.queue) &&
    has(filter.label, ...labelsOf(message.label)) &&
    has(filter.flowControlKey, message.flowControlKey) &&
    has(filter.callerIp, message.callerIp) &&
    has(filter.responseStatus, message.responseStatus)
  );
}

/** The labels of a message, which a client lists in one text. */
export function labelsOf(label: string | undefined): readonly string[] {
  return (label ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
