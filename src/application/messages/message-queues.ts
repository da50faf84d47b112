import { DomainError, invalidRequest, existing, notFound } from '../../domain/errors.ts';
import type { StateCounts } from '../../domain/jobs/job-status.ts';
import type { Policy } from '../../domain/policies/policy.ts';
import {
  REDRIVE_FIELD,
  type MessagePolicy,
  type Redrive,
} from '../../domain/policies/message-policy.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { without } from '../../domain/values/without.ts';
import type { Policies } from '../policies/policies.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { QueueNames } from '../queues/queue-names.ts';
import { NOTHING, type QueueView } from '../queues/queue-view.ts';
import { messageTerms, type MessageTerms } from './message-terms.ts';
import {
  firstDifference,
  withAttributes,
  type QueueAttributeName,
  type QueueAttributes,
} from './queue-attributes.ts';

/** A queue as programs that send messages see it. */
export interface MessageQueue {
  readonly terms: MessageTerms;
  readonly counts: StateCounts;
}

/** What became of the creation of a queue; `differs`: it exists with another value of this attribute. */
export type QueueCreation =
  | { readonly kind: 'created' | 'existed' }
  | {
      readonly kind: 'differs';
      readonly attribute: { readonly name: QueueAttributeName } | { readonly kept: string };
    };

/** Which queues to list, in order of name. */
export interface QueuesOfPrefix {
  /** What their names begin with. */
  readonly prefix: string;
  /** The name of the last queue of the page before. */
  readonly after: string | undefined;
  readonly length: number;
}

export interface PageOfQueues {
  readonly queues: readonly QueueName[];
  /** Whether more of them follow. */
  readonly hasMore: boolean;
}

export interface MessageQueuesDependencies {
  readonly policies: Pick<
    Policies,
    'areKnown' | 'known' | 'of' | 'find' | 'change' | 'each' | 'refresh'
  >;
  readonly names: QueueNames;
  readonly view: Pick<QueueView, 'of'>;
  readonly clock: ClockPort;
}

/** The groups of a queue in which messages of a group are received one at a time and in order. */
const IN_ORDER = { ordered: 'skip', concurrency: 1 } as const;

/** The queues of programs that send messages: a queue and its policy (reach contract, section 21). */
export class MessageQueues {
  readonly #policies: MessageQueuesDependencies['policies'];
  readonly #names: QueueNames;
  readonly #view: MessageQueuesDependencies['view'];
  readonly #clock: ClockPort;

  constructor(dependencies: MessageQueuesDependencies) {
    this.#policies = dependencies.policies;
    this.#names = dependencies.names;
    this.#view = dependencies.view;
    this.#clock = dependencies.clock;
  }

  /**
   * What holds for the messages of a queue. A queue that was created for messages costs no command.
   *
   * @throws DomainError `queue-not-found`, or `store-unavailable`.
   */
  async terms(queue: QueueName): Promise<MessageTerms> {
    if (!this.#policies.areKnown) await this.#policies.known();
    const known = this.#policies.of(queue)?.messages;
    if (known !== undefined) return messageTerms(known);
    const { policy } = await this.#find(queue);
    // Created on another replica a moment ago: what follows here is under its policy too.
    if (policy?.messages !== undefined) await this.#policies.refresh();
    return messageTerms(policy?.messages);
  }

  /** @throws DomainError `queue-not-found`. */
  async read(queue: QueueName): Promise<MessageQueue> {
    const { policy, viewed } = await this.#find(queue);
    const { counts } = (viewed ?? { glance: NOTHING }).glance;
    return { terms: messageTerms(policy?.messages), counts };
  }

  async #find(queue: QueueName) {
    const [policy, [viewed]] = await Promise.all([
      this.#policies.find(queue),
      this.#view.of([queue]),
    ]);
    if (policy === undefined && viewed === undefined) throw notFound('queue');
    return { policy, viewed };
  }

  /**
   * Creates a queue for messages. One that exists takes the attributes unless it was created for messages before: then
   * it must have them.
   *
   * @throws DomainError `invalid-request` naming the field.
   */
  async create(
    queue: QueueName,
    attributes: QueueAttributes,
    labels: Readonly<Record<string, string>>,
  ): Promise<QueueCreation> {
    const now = this.#clock.now();
    await this.#checkRedrive(queue, attributes.redrive, attributes.fifo ?? false);
    let creation: QueueCreation = { kind: 'created' };
    await this.#policies.change(queue, (policy = {}) => {
      if (policy.messages?.createdAt !== undefined) {
        const attribute = firstDifference(policy.messages, attributes);
        creation = attribute === undefined ? { kind: 'existed' } : { kind: 'differs', attribute };
        return policy;
      }
      creation = { kind: 'created' };
      const messages = withAttributes(policy.messages ?? {}, attributes);
      const all = { ...policy.labels, ...labels };
      return {
        ...withMessages(policy, { ...messages, createdAt: now, changedAt: now }),
        ...(Object.keys(all).length > 0 && { labels: all }),
      };
    });
    return creation;
  }

  /** @throws DomainError `queue-not-found`, or `invalid-request` naming the field. */
  async set(queue: QueueName, attributes: QueueAttributes): Promise<void> {
    const { fifo } = await this.terms(queue);
    await this.#checkRedrive(queue, attributes.redrive, fifo);
    const changedAt = this.#clock.now();
    await this.#policies.change(queue, (policy = {}) => {
      const messages = withAttributes(policy.messages ?? {}, attributes);
      return withMessages(policy, { ...messages, changedAt });
    });
  }

  /** The labels of a queue. @throws DomainError `queue-not-found`. */
  async labels(queue: QueueName): Promise<Readonly<Record<string, string>>> {
    const policy = await this.#policies.find(queue);
    if (policy === undefined) await this.#mustExist(queue);
    return policy?.labels ?? {};
  }

  /** @throws DomainError `queue-not-found`, or `invalid-request` naming the label, or for too many of them. */
  async label(queue: QueueName, labels: Readonly<Record<string, string>>): Promise<void> {
    await this.#mustExist(queue);
    await this.#policies.change(queue, (policy = {}) => ({
      ...policy,
      labels: { ...policy.labels, ...labels },
    }));
  }

  /** Takes labels away; one that the queue has not is ignored. @throws DomainError `queue-not-found`. */
  async unlabel(queue: QueueName, names: readonly string[]): Promise<void> {
    await this.#mustExist(queue);
    await this.#policies.change(queue, (policy = {}) => {
      const left = Object.entries(policy.labels ?? {}).filter(([name]) => !names.includes(name));
      const rest = without(policy, 'labels');
      return left.length === 0 ? rest : { ...rest, labels: Object.fromEntries(left) };
    });
  }

  /** @param mayUse which queues the caller may see. */
  async list(
    { prefix, after, length }: QueuesOfPrefix,
    mayUse: (queue: string) => boolean,
  ): Promise<PageOfQueues> {
    const names = await this.#names.list(undefined, false, mayUse);
    return pageOf(
      names.filter((name) => name.startsWith(prefix)),
      after,
      length,
    );
  }

  /**
   * The queues whose dead letter queue this is.
   *
   * @param mayUse which queues the caller may see.
   * @throws DomainError `queue-not-found`.
   */
  async sourcesOf(
    queue: QueueName,
    { after, length }: Omit<QueuesOfPrefix, 'prefix'>,
    mayUse: (queue: string) => boolean,
  ): Promise<PageOfQueues> {
    await this.#mustExist(queue);
    const names = this.allSourcesOf(queue).filter((source) => mayUse(source));
    return pageOf(names, after, length);
  }

  /** The same of all callers, in order of name. */
  allSourcesOf(queue: QueueName): readonly QueueName[] {
    const sources: QueueName[] = [];
    for (const [name, { messages }] of this.#policies.each()) {
      if (messages?.redrive?.queue === queue) sources.push(name);
    }
    return sources.sort();
  }

  /** @throws DomainError `invalid-request` for what cannot be a dead letter queue of the queue. */
  async #checkRedrive(
    queue: QueueName,
    redrive: Redrive | null | undefined,
    fifo: boolean,
  ): Promise<void> {
    if (redrive == null) return;
    const refuse = (why: string): DomainError => invalidRequest(why, REDRIVE_FIELD);
    if (redrive.queue === queue) throw refuse('Dead letter target must be another queue.');
    try {
      // The name of a queue that exists is valid.
      const target = await this.terms(redrive.queue as QueueName);
      if (target.fifo === fifo) return;
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'queue-not-found') throw error;
      throw refuse('Dead letter target does not exist.');
    }
    throw refuse('Dead-letter queue must be same type of queue as the source.');
  }

  async #mustExist(queue: QueueName): Promise<void> {
    if (this.#policies.of(queue)?.messages !== undefined) return;
    existing((await this.#view.of([queue]))[0], 'queue');
  }
}

/** The messages of the groups of a FIFO queue are in order, whatever the policy said of its groups. */
function withMessages(policy: Policy, messages: MessagePolicy): Policy {
  const groups = { ...policy.groups, ...IN_ORDER };
  return { ...policy, messages, ...(messages.fifo === true && { groups }) };
}

function pageOf(
  names: readonly QueueName[],
  after: string | undefined,
  length: number,
): PageOfQueues {
  const from = after === undefined ? 0 : names.findIndex((name) => name > after);
  if (from === -1) return { queues: [], hasMore: false };
  return { queues: names.slice(from, from + length), hasMore: names.length > from + length };
}
