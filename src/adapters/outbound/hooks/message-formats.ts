import type {
  FormattedMessage,
  HookFormatPort,
  WritingHook,
} from '../../../application/ports/hook-format-port.ts';
import { messagePage, queuePage } from './dashboard-links.ts';
import type { HookFormat } from '../../../domain/hooks/hook.ts';
import { messageType, namedQueues, type HookMessage } from '../../../domain/hooks/hook-message.ts';
import { messageData } from './message-data.ts';
import { messageLines } from './message-text.ts';

interface MessageTerms {
  /** The id of the delivery. */
  readonly id: string;
  /** The id of the hook that sends it. */
  readonly hook: string;
  readonly publicUrl: string | undefined;
}

export class MessageFormats implements HookFormatPort {
  readonly #publicUrl: string | undefined;

  /** @param publicUrl where people and endpoints reach this service, without a slash at the end. */
  constructor(publicUrl: string | undefined) {
    this.#publicUrl = publicUrl;
  }

  written(message: HookMessage, { format, id: hook }: WritingHook, id: string): FormattedMessage {
    const { contentType, bodyOf } = FORMATS[format];
    const body = bodyOf(message, { id, hook, publicUrl: this.#publicUrl });
    return { contentType, body: JSON.stringify(body) };
  }
}

interface Format {
  readonly contentType: string;
  readonly bodyOf: (message: HookMessage, terms: MessageTerms) => object;
}

const JSON_TYPE = 'application/json';

const FORMATS: Readonly<Record<HookFormat, Format>> = {
  standard: { contentType: JSON_TYPE, bodyOf: standard },
  cloudevents: { contentType: 'application/cloudevents+json', bodyOf: cloudEvent },
  slack: { contentType: JSON_TYPE, bodyOf: slackMessage },
  alertmanager: { contentType: JSON_TYPE, bodyOf: alerts },
};

function standard(message: HookMessage, { hook, publicUrl }: MessageTerms): object {
  return {
    type: messageType(message),
    timestamp: isoTime(message.at),
    data: messageData(message, hook, publicUrl),
  };
}

/** CloudEvents 1.0 in structured mode. */
function cloudEvent(message: HookMessage, { id, hook, publicUrl }: MessageTerms): object {
  const [subject] = namedQueues(message);
  return {
    specversion: '1.0',
    id,
    source: publicUrl ?? 'jobgate',
    type: messageType(message),
    ...(subject !== undefined && { subject }),
    time: isoTime(message.at),
    datacontenttype: JSON_TYPE,
    data: messageData(message, hook, publicUrl),
  };
}

/** An incoming webhook of Slack, and of what takes the same. */
function slackMessage(message: HookMessage, { publicUrl }: MessageTerms): object {
  const type = messageType(message);
  const lines = messageLines(message).map(({ queue, text }) => {
    const subject = queue === undefined ? [] : [slackLink(queue, publicUrl)];
    return [type, ...subject, slackText(text)].join(': ');
  });
  if (message.kind === 'condition' && message.more > 0) {
    lines.push(`${type}: and ${message.more} more ${message.more === 1 ? 'queue' : 'queues'}`);
  }
  return { text: lines.join('\n') };
}

function slackLink(queue: string, publicUrl: string | undefined): string {
  const name = slackText(queue);
  return publicUrl === undefined ? name : `<${slackText(queuePage(publicUrl, queue))}|${name}>`;
}

const SLACK_ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** In Slack, what stands between angle brackets may be a link or call people. */
function slackText(text: string): string {
  return text.replace(/[&<>]/g, (character) => SLACK_ESCAPES[character] ?? '');
}

/**
 * The alerts of `POST /api/v2/alerts`. The labels say which alert it is, so an alert that is over has the same as when
 * it began.
 */
function alerts(message: HookMessage, { hook, publicUrl }: MessageTerms): object {
  // The alerts of one message may be about several queues.
  const pageOf = (queue: string | undefined): object => {
    if (publicUrl === undefined) return {};
    const isAboutQueue = message.kind === 'condition' && queue !== undefined;
    return {
      generatorURL: isAboutQueue ? queuePage(publicUrl, queue) : messagePage(publicUrl, message),
    };
  };
  return messageLines(message).map(({ queue, text }, index) => ({
    labels: {
      alertname: message.type,
      ...(queue !== undefined && { queue }),
      ...labelsOf(message),
    },
    annotations: { summary: queue === undefined ? text : `${queue}: ${text}`, hook },
    ...timesOf(message, index),
    ...pageOf(queue),
  }));
}

/** What tells alerts apart that have the same name and queue. */
function labelsOf(message: HookMessage): Readonly<Record<string, string>> {
  switch (message.kind) {
    case 'job':
      return { job: message.job.id };
    case 'missed':
      return { scheduler: message.scheduler };
    case 'failing':
      return { hook: message.failing };
    case 'condition':
    case 'test':
      return {};
  }
}

function timesOf(message: HookMessage, index: number): object {
  if (message.kind !== 'condition') return { startsAt: isoTime(message.at) };
  const startsAt = isoTime(message.queues[index]?.since ?? message.at);
  return message.isOver ? { startsAt, endsAt: isoTime(message.at) } : { startsAt };
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
