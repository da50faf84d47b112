import { existing } from '../../domain/errors.ts';
import type { AddedJob } from '../../domain/jobs/job.ts';
import { flowLimitOf, flowSettings } from '../../domain/messages/flow-limit.ts';
import { PUSH_QUEUE } from '../../domain/messages/push-id.ts';
import type { GroupEndpoint } from '../../domain/messages/url-group.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { keptOrMade } from '../../domain/values/kept-or-made.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { KeptUrlGroups } from '../kept/url-groups.ts';
import type { LimitUsePort } from '../ports/limit-use-port.ts';
import type { MessageIdPort } from '../ports/message-id-port.ts';
import type { TraceContext } from '../ports/tracing-port.ts';
import type { OutgoingPush, PublishedPush } from './outgoing-push.ts';
import type { PushJob, PushJobs } from './push-jobs.ts';
import type { PushQueues } from './push-queues.ts';

export interface PushesDependencies {
  readonly jobs: Pick<Jobs, 'add'>;
  readonly pushJobs: PushJobs;
  readonly pushQueues: Pick<PushQueues, 'ready'>;
  readonly limitUse: Pick<LimitUsePort, 'bind'>;
  readonly urlGroups: Pick<KeptUrlGroups, 'find'>;
  readonly messageIds: MessageIdPort;
}

/** Publishes messages, each of which is a job that is called at the URL of its own (further contract, section 24). */
export class Pushes {
  readonly #parts: PushesDependencies;

  constructor(parts: PushesDependencies) {
    this.#parts = parts;
  }

  /**
   * Publishes messages; those of one queue together, or none of them.
   *
   * @param count counts the jobs against the limits of the caller.
   * @returns what became of each, an array for a URL group.
   * @throws DomainError such as `invalid-request` naming the header, `queue-taken` or `url-group-not-found`.
   */
  async publish(
    messages: readonly OutgoingPush[],
    count: (jobs: number) => void | Promise<void>,
    context?: TraceContext,
  ): Promise<readonly (PublishedPush | readonly PublishedPush[])[]> {
    for (const queue of queuesOf(messages)) await this.#parts.pushQueues.ready(queue);
    const jobs: (PushJob | readonly PushJob[])[] = [];
    for (const message of messages) {
      const { to } = message;
      jobs.push('url' in to ? this.#job(message, to) : await this.#ofGroup(message, to.topic));
    }
    const all = jobs.flat();
    await count(all.length);
    await this.#bindLimits(messages);
    const added = await this.#add(all, context);
    const published = (job: PushJob): PublishedPush => {
      const { input, mark } = job;
      const { id = input.opts.jobId, deduplicated } = added.get(job) ?? {};
      const { push, url } = mark.endpoint;
      return { messageId: id, url: push.topic && url, deduplicated };
    };
    return jobs.map((each) => ('input' in each ? published(each) : each.map(published)));
  }

  #job(message: OutgoingPush, endpoint: GroupEndpoint): PushJob {
    const { once } = message;
    const id =
      once === undefined
        ? this.#parts.messageIds.draw()
        : this.#parts.pushJobs.idOf(once, endpoint.url);
    return this.#parts.pushJobs.of(message, endpoint, id);
  }

  async #ofGroup(message: OutgoingPush, topic: string): Promise<readonly PushJob[]> {
    const { endpoints } = existing(await this.#parts.urlGroups.find(topic), 'url-group');
    return endpoints.map((endpoint) => this.#job(message, endpoint));
  }

  /** Of several messages with a flow control key, the settings of the last one count. */
  async #bindLimits(messages: readonly OutgoingPush[]): Promise<void> {
    const latest = new Map(messages.map((each) => [each.flowControl?.key, each]));
    for (const [key, { flowControl, call }] of latest) {
      if (key === undefined || flowControl === undefined) continue;
      const limit = flowLimitOf(this.#parts.pushJobs.groupOfKey(key));
      await this.#parts.limitUse.bind(limit, flowSettings(flowControl), call.delay ?? 0);
    }
  }

  async #add(
    jobs: readonly PushJob[],
    context: TraceContext | undefined,
  ): Promise<ReadonlyMap<PushJob, AddedJob | undefined>> {
    const byQueue = new Map<QueueName, PushJob[]>();
    for (const job of jobs) keptOrMade(byQueue, job.queue, () => []).push(job);
    const all = new Map<PushJob, AddedJob | undefined>();
    for (const [queue, together] of byQueue) {
      const inputs = together.map(({ input }) => input);
      const marks = together.map(({ mark }) => mark);
      const added = await this.#parts.jobs.add(queue, inputs, context, marks);
      for (const [index, job] of together.entries()) all.set(job, added[index]);
    }
    return all;
  }
}

/** The queues of messages, and that of their callbacks. */
function queuesOf(messages: readonly OutgoingPush[]): ReadonlySet<QueueName> {
  const hasCallback = messages.some(
    ({ callback, failureCallback }) => callback !== undefined || failureCallback !== undefined,
  );
  const queues = messages.map(({ queue }) => queue);
  return new Set(hasCallback ? [...queues, PUSH_QUEUE] : queues);
}
