import type { Caller } from '../../domain/access/caller.ts';
import { destinationOf } from '../../domain/calls/destination.ts';
import { DomainError, existing } from '../../domain/errors.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { PUSH_QUEUE } from '../../domain/messages/push-id.ts';
import { pushOf, type Push } from '../../domain/messages/push.ts';
import type { Scheduler } from '../../domain/schedulers/scheduler.ts';
import { MAX_SCHEDULERS } from '../../domain/schedulers/scheduler.ts';
import { isObject, parsedJson, type Json } from '../../domain/values/json.ts';
import { without } from '../../domain/values/without.ts';
import type { Destinations } from '../destinations/destinations.ts';
import type { UrlGroups } from '../messages/url-groups.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { MessageIdPort } from '../ports/message-id-port.ts';
import type { Schedulers } from '../schedulers/schedulers.ts';
import type { OutgoingPush } from './outgoing-push.ts';
import type { PushJobs } from './push-jobs.ts';
import type { PushQueues } from './push-queues.ts';
import { contentOf } from './pushed-message.ts';
import type { Pushes } from './pushes.ts';
import { shownPush, type ShownPush } from './shown-push.ts';

/** How many schedules a list has at most. */
const MOST_LISTED = 1000;

/** How often the publishing of a message is tried, with pauses (ms) that grow. */
const ATTEMPTS = 10;
const PAUSE = { type: 'exponential', delay: 1000, maxDelay: 60_000 };

/** A message and when it is published: a cron pattern in a time zone, UTC unless given. */
export interface ScheduledPush {
  /** Drawn unless given. */
  readonly id: string | undefined;
  readonly pattern: string;
  readonly zone: string | undefined;
  readonly message: OutgoingPush;
}

export type ShownSchedule = Awaited<ReturnType<PushSchedules['read']>>;

/** What a schedule keeps of its message, besides its content. */
interface KeptMessage extends Omit<OutgoingPush, 'content'> {
  readonly createdAt: number;
}

export interface PushSchedulesDependencies {
  readonly schedulers: Schedulers;
  readonly pushes: Pick<Pushes, 'publish'>;
  readonly pushJobs: Pick<PushJobs, 'of'>;
  readonly pushQueues: Pick<PushQueues, 'ready'>;
  readonly urlGroups: Pick<UrlGroups, 'read'>;
  readonly destinations: Pick<Destinations, 'opened' | 'openedText' | 'sealedText'>;
  readonly messageIds: MessageIdPort;
  readonly clock: Pick<ClockPort, 'now'>;
}

/**
 * Schedules of messages (further contract, section 24). Each is a scheduler of the queue of messages, whose jobs publish
 * the message: at every slot to the endpoints that its URL group has by then, and in the queue that it is meant for.
 * Methods throw DomainError `store-unavailable`.
 */
export class PushSchedules {
  readonly #dependencies: PushSchedulesDependencies;

  constructor(dependencies: PushSchedulesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Stores a schedule in place of any other of its id. @returns the id.
   *
   * @throws DomainError `invalid-request` naming the header, `url-group-not-found`, or `too-many-schedulers`.
   */
  async save(
    { id: given, pattern, zone, message }: ScheduledPush,
    caller: Caller,
  ): Promise<string> {
    const { schedulers, pushQueues, pushJobs, urlGroups, messageIds } = this.#dependencies;
    const id = given ?? `scd_${messageIds.draw()}`;
    const { to, queue } = message;
    if ('topic' in to) await urlGroups.read(to.topic);
    await pushQueues.ready(PUSH_QUEUE);
    if (queue !== PUSH_QUEUE) await pushQueues.ready(queue);
    const url = 'url' in to ? to.url : groupUrl(to.topic);
    const scheduled = { ...message, schedule: id };
    const { input, mark } = pushJobs.of(scheduled, { url }, messageIds.draw());
    const push: Push = { ...mark.endpoint.push, scheduled: this.#sealed(scheduled, url) };
    const opts = { attempts: ATTEMPTS, backoff: PAUSE };
    const job = { name: input.name, data: input.data as Json, opts };
    const repeat = { pattern, ...(zone !== undefined && { tz: zone }) };
    const endpoint = { ...mark.endpoint, push };
    try {
      await schedulers.save(PUSH_QUEUE, id, { repeat, job }, caller, { endpoint });
    } catch (error) {
      throw namingHeader(error);
    }
    return id;
  }

  /** @throws DomainError `scheduler-not-found`. */
  async read(id: string) {
    const scheduler = await this.#dependencies.schedulers.read(PUSH_QUEUE, id);
    return existing(this.#shown(scheduler), 'scheduler');
  }

  /** By the time of their next messages. @throws DomainError `no-encryption-key` for one that cannot be decrypted. */
  async list(): Promise<readonly ShownSchedule[]> {
    await this.#dependencies.pushQueues.ready(PUSH_QUEUE);
    const page = { start: 0, length: MAX_SCHEDULERS };
    const shown: ShownSchedule[] = [];
    for await (const piece of await this.#dependencies.schedulers.list(PUSH_QUEUE, page)) {
      shown.push(...piece.flatMap((each) => this.#shown(each) ?? []));
      if (shown.length >= MOST_LISTED) break;
    }
    return shown.slice(0, MOST_LISTED);
  }

  /** Publishes the message of a job of a schedule: once, however often it is tried. @throws DomainError as publishing does. */
  async publish({ id, data, opts }: Pick<Job, 'id' | 'data' | 'opts'>): Promise<void> {
    const { destinations, pushes } = this.#dependencies;
    const [push, url] = [pushOf(opts), destinationOf(opts)?.url ?? ''];
    const message = this.#opened(push?.scheduled ?? '', url);
    const content = contentOf(data, push ?? {}, url, destinations);
    await pushes.publish([{ ...message, content, once: id }], () => undefined);
  }

  /** A schedule with its message; undefined for a scheduler that has none. Times are epoch ms. */
  #shown({ id, repeat, job, paused, next, last }: Scheduler) {
    const push = pushOf(job.opts);
    const destination = destinationOf(job.opts);
    if (push?.scheduled === undefined || destination === undefined) return undefined;
    const kept = this.#opened(push.scheduled, destination.url);
    const { createdAt, call, to } = kept;
    const opts = { attempts: call.retries + 1 };
    const { destinations } = this.#dependencies;
    const queue = kept.queue === PUSH_QUEUE ? undefined : kept.queue;
    const template = { id, data: job.data, timestamp: createdAt, opts };
    const message: ShownPush = shownPush({ push, destination, job: template, queue }, destinations);
    const { pattern = '', tz } = repeat;
    return {
      ...{ id, paused, createdAt, delay: call.delay },
      cron: tz === undefined || tz === 'UTC' ? pattern : `CRON_TZ=${tz} ${pattern}`,
      next: next[0],
      last: last?.at,
      message: 'topic' in to ? { ...message, url: to.topic } : message,
    };
  }

  #sealed(message: OutgoingPush, url: string): string {
    const kept: KeptMessage = {
      ...without(message, 'content'),
      createdAt: this.#dependencies.clock.now(),
    };
    return this.#dependencies.destinations.sealedText(url, JSON.stringify(kept));
  }

  #opened(sealed: string, url: string): KeptMessage {
    const kept = parsedJson(this.#dependencies.destinations.openedText(url, sealed));
    if (isObject(kept)) return kept as unknown as KeptMessage;
    throw new DomainError('no-encryption-key', 'The schedule cannot be decrypted here');
  }
}

/** A URL in place of those of a group, for which its headers are encrypted. */
function groupUrl(topic: string): string {
  return `https://${encodeURIComponent(topic)}.invalid/`;
}

/** An error in the times, with the header in place of the field of a scheduler. */
function namingHeader(error: unknown): unknown {
  if (!(error instanceof DomainError) || error.field?.startsWith('repeat.') !== true) return error;
  const message = error.message
    .replaceAll('repeat.tz', 'CRON_TZ of Upstash-Cron')
    .replaceAll(/repeat\.\w+/g, 'Upstash-Cron');
  return new DomainError(error.code, message, { field: 'Upstash-Cron' });
}
