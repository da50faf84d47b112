import { existing, requestTooLarge } from '../../domain/errors.ts';
import type { AddedJob } from '../../domain/jobs/job.ts';
import { flowLimitOf, flowSettings } from '../../domain/messages/flow-limit.ts';
import { PUSH_QUEUE } from '../../domain/messages/push-id.ts';
import type { GroupEndpoint } from '../../domain/messages/url-group.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { JsonText } from '../../domain/values/json.ts';
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

/** A message and where it goes. */
interface AddressedPush {
  readonly message: OutgoingPush;
  readonly endpoints: readonly GroupEndpoint[];
}

const MEGABYTE = 1_048_576;

/** How many characters hidden bodies have together in one call. */
const MOST_HIDDEN = 10 * MEGABYTE;

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
    const addressed: AddressedPush[] = [];
    for (const message of messages) {
      addressed.push({ message, endpoints: await this.#endpointsOf(message) });
    }
    await count(addressed.reduce((sum, { endpoints }) => sum + endpoints.length, 0));
    checkHiddenBodies(addressed);
    const made = addressed.map((each) => ({ to: each.message.to, jobs: this.#jobsOf(each) }));
    await this.#bindLimits(messages);
    const all = made.flatMap(({ jobs }) => jobs);
    const added = await this.#add(all, context);
    const published = (job: PushJob): PublishedPush => {
      const { input, mark } = job;
      const { id = input.opts.jobId, deduplicated } = added.get(job) ?? {};
      const { push, url } = mark.endpoint;
      return { messageId: id, url: push.topic && url, deduplicated };
    };
    return made.map(({ to, jobs }) => {
      const shown = jobs.map(published);
      return 'topic' in to ? shown : (shown[0] as PublishedPush);
    });
  }

  /** The jobs of a message, which share the text of its body. */
  #jobsOf({ message, endpoints }: AddressedPush): readonly PushJob[] {
    const { messageIds, pushJobs } = this.#parts;
    const { once, content } = message;
    const data = new JsonText(JSON.stringify(content.data));
    return endpoints.map((endpoint) => {
      const id = once === undefined ? messageIds.draw() : pushJobs.idOf(once, endpoint.url);
      return pushJobs.of(message, endpoint, id, data);
    });
  }

  async #endpointsOf({ to }: OutgoingPush): Promise<readonly GroupEndpoint[]> {
    if ('url' in to) return [to];
    return existing(await this.#parts.urlGroups.find(to.topic), 'url-group').endpoints;
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

/** @throws DomainError `request-too-large`: a body that is hidden is sealed for each endpoint by itself. */
function checkHiddenBodies(addressed: readonly AddressedPush[]): void {
  let size = 0;
  for (const { message, endpoints } of addressed) {
    if (message.redact?.body === true) size += message.content.data.length * endpoints.length;
  }
  if (size <= MOST_HIDDEN) return;
  const most = `${MOST_HIDDEN / MEGABYTE} MB together, once for each endpoint of a URL group`;
  throw requestTooLarge(`Bodies that Upstash-Redact-Fields hides must have at most ${most}`);
}

/** The queues of messages, and that of their callbacks. */
function queuesOf(messages: readonly OutgoingPush[]): ReadonlySet<QueueName> {
  const hasCallback = messages.some(
    ({ callback, failureCallback }) => callback !== undefined || failureCallback !== undefined,
  );
  const queues = messages.map(({ queue }) => queue);
  return new Set(hasCallback ? [...queues, PUSH_QUEUE] : queues);
}
