import { existing } from '../../domain/errors.ts';
import type { JobInput } from '../../domain/jobs/job.ts';
import { flowLimitOf, flowSettings } from '../../domain/limits/flow-limit.ts';
import { PUSH_QUEUE } from '../../domain/messages/push-id.ts';
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
  readonly #jobs: Pick<Jobs, 'add'>;
  readonly #pushJobs: PushJobs;
  readonly #queues: Pick<PushQueues, 'ready'>;
  readonly #limitUse: Pick<LimitUsePort, 'bind'>;
  readonly #urlGroups: Pick<KeptUrlGroups, 'find'>;
  readonly #ids: MessageIdPort;

  constructor(dependencies: PushesDependencies) {
    this.#jobs = dependencies.jobs;
    this.#pushJobs = dependencies.pushJobs;
    this.#queues = dependencies.pushQueues;
    this.#limitUse = dependencies.limitUse;
    this.#urlGroups = dependencies.urlGroups;
    this.#ids = dependencies.messageIds;
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
    for (const queue of queuesOf(messages)) await this.#queues.ready(queue);
    const jobs: (readonly QueuedPush[])[] = [];
    for (const message of messages) jobs.push(await this.#jobsOf(message));
    await count(jobs.flat().length);
    await this.#bindLimits(messages);
    const added = await this.#add(jobs.flat(), context);
    return jobs.map((each, index) => {
      const published = each.map((job) => added.get(job) ?? { messageId: '' });
      const [first = { messageId: '' }] = published;
      return 'topic' in (messages[index]?.to ?? {}) ? published : first;
    });
  }

  async #jobsOf(message: OutgoingPush): Promise<readonly QueuedPush[]> {
    const { queue, to } = message;
    const endpoints =
      'url' in to ? [to] : existing(await this.#urlGroups.find(to.topic), 'url-group').endpoints;
    return endpoints.map((endpoint) => {
      const { once } = message;
      const id = once === undefined ? this.#ids.draw() : this.#pushJobs.idOf(once, endpoint.url);
      return { ...this.#pushJobs.of(message, endpoint, id), queue };
    });
  }

  /** Of several messages with a flow control key, the settings of the last one count. */
  async #bindLimits(messages: readonly OutgoingPush[]): Promise<void> {
    const latest = new Map(messages.map((each) => [each.flowControl?.key, each]));
    for (const [key, { flowControl, delay = 0 }] of latest) {
      if (key === undefined || flowControl === undefined) continue;
      const limit = flowLimitOf(this.#pushJobs.groupOfKey(key));
      await this.#limitUse.bind(limit, flowSettings(flowControl), delay);
    }
  }

  async #add(
    jobs: readonly QueuedPush[],
    context: TraceContext | undefined,
  ): Promise<ReadonlyMap<QueuedPush, PublishedPush>> {
    const published = new Map<QueuedPush, PublishedPush>();
    const byQueue = new Map<QueueName, QueuedPush[]>();
    for (const job of jobs) keptOrMade(byQueue, job.queue, () => []).push(job);
    for (const [queue, together] of byQueue) {
      const inputs: readonly JobInput[] = together.map(({ input }) => input);
      const marks = together.map(({ mark }) => mark);
      const added = await this.#jobs.add(queue, inputs, context, marks);
      for (const [index, job] of together.entries()) {
        const { id = '', deduplicated } = added[index] ?? {};
        const url = job.mark.endpoint.push.topic && job.mark.endpoint.url;
        published.set(job, {
          messageId: id,
          ...(url !== undefined && { url }),
          ...(deduplicated && { deduplicated }),
        });
      }
    }
    return published;
  }
}

interface QueuedPush extends PushJob {
  readonly queue: QueueName;
}

/** The queues of messages, and that of their callbacks. */
function queuesOf(messages: readonly OutgoingPush[]): ReadonlySet<QueueName> {
  const hasCallback = messages.some(
    ({ callback, failureCallback }) => callback !== undefined || failureCallback !== undefined,
  );
  const queues = messages.map(({ queue }) => queue);
  return new Set(hasCallback ? [...queues, PUSH_QUEUE] : queues);
}
