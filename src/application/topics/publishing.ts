import type { Caller } from '../../domain/access/caller.ts';
import { counted, requestTooLarge } from '../../domain/errors.ts';
import { keyRefused, type AddIdentity } from '../../domain/jobs/add-identity.ts';
import { jobInputShape, type JobInput } from '../../domain/jobs/job.ts';
import { carried } from '../../domain/jobs/made-jobs.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { MatchedMessage } from '../../domain/topics/matched-message.ts';
import { MOST_TOPIC_QUEUES, topicName } from '../../domain/topics/subscription.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import { JsonText, type Json } from '../../domain/values/json.ts';
import { groupsOfJobs } from '../policies/group-defaults.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { AddToQueues, QueuesRecalled, TopicPort } from '../ports/topic-port.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { TraceContext } from '../ports/tracing-port.ts';
import { inTurns } from '../running/in-turns.ts';
import { traced } from '../running/traced.ts';
import { UnsettledAdds } from '../running/unsettled-adds.ts';
import { WorkInFlight } from '../running/work-in-flight.ts';
import {
  messageJobs,
  type Match,
  type MessageJob,
  type MessageJobDependencies,
} from './message-jobs.ts';
import { outcomeOf, publishedMessages, type PublishedMessage } from './published.ts';
import { jobsWithRoom } from './room-for-jobs.ts';
import type { TopicsInForce } from './topics-in-force.ts';

/** How many subscriptions a message is matched with in one turn of the event loop. */
const MATCHED_AT_ONCE = 250;

/** Up to so many characters of jobs a call adds without waiting for others. */
const SMALL = 100_000;

/** How many the other calls add at once: a small message may become a thousand jobs with large options. */
const MOST_AT_ONCE = 10_000_000;

export interface PublishingDependencies
  extends MessageJobDependencies, Pick<CommonPorts, 'tokens' | 'observer' | 'tracing'> {
  readonly topics: TopicPort;
  readonly topicsInForce: Pick<TopicsInForce, 'of'>;
  readonly clock: Pick<ClockPort, 'turn'>;
  /** How many jobs one call may add. */
  readonly maxJobsPerAdd: number;
}

/** A call that publishes messages. */
export interface Publication {
  readonly messages: readonly JobInput[];
  /** Whether they came as a list, so that paths in errors have their positions. */
  readonly isList: boolean;
  readonly isDryRun: boolean;
  readonly caller: Caller;
  readonly identity: AddIdentity | undefined;
  readonly trace: TraceContext | undefined;
  /** Counts jobs against the limits of the caller. */
  readonly count: (jobs: number) => void | Promise<void>;
}

export interface Published {
  readonly messages: readonly PublishedMessage[];
  readonly isRepeated: boolean;
}

/** The messages of topics, which become jobs of their subscriptions (further contract, section 23, "Topics"). */
export class Publishing {
  readonly #parts: PublishingDependencies;
  readonly #unsettled = new UnsettledAdds();
  readonly #adding = new WorkInFlight(MOST_AT_ONCE);

  constructor(dependencies: PublishingDependencies) {
    this.#parts = dependencies;
  }

  /**
   * Adds a job for each subscription that a message matches: all of them or none.
   *
   * @throws DomainError `invalid-request` naming the field, `forbidden` for a queue that the caller may not use,
   * `request-too-large`, `queue-full`, `idempotency-key-reused` or `idempotency-key-in-use`.
   */
  async publish(topic: string, publication: Publication): Promise<Published> {
    checkShape(topicName, topic, 'topic');
    const { identity, isDryRun } = publication;
    if (identity === undefined || isDryRun) return this.#publish(topic, publication);
    return this.#unsettled.run(identity, async () => {
      const known = await this.#parts.topics.recall(identity);
      if (known !== undefined) return repeated(publication, known);
      return this.#publish(topic, publication, identity);
    });
  }

  async #publish(
    topic: string,
    publication: Publication,
    identity?: AddIdentity,
  ): Promise<Published> {
    const { policies } = this.#parts;
    if (!policies.areKnown) await policies.known();
    const matches = await this.#matches(topic, publication);
    const active = matches.filter(({ subscription }) => !subscription.paused);
    for (const { subscription } of active) {
      if (subscription.onFull === 'refuse') publication.caller.requireQueue(subscription.queue);
    }
    this.#checkSize(active);
    const add = () => this.#add(matches, active, publication, identity);
    const size = active.reduce((sum, match) => sum + match.size, 0);
    return size <= SMALL ? add() : this.#adding.run(size, add);
  }

  async #add(
    matches: readonly Match[],
    active: readonly Match[],
    publication: Publication,
    identity: AddIdentity | undefined,
  ): Promise<Published> {
    const { tokens, tracing } = this.#parts;
    const { caller, count, isDryRun, trace } = publication;
    const jobs = await this.#permitted(messageJobs(active, tokens.draw(), this.#parts), caller);
    if (!isDryRun) await count(jobs.length);
    const add = async (carrier?: string): Promise<Published> => {
      const { added, outcome } = await this.#stored(carried(jobs, carrier), isDryRun, (some) => {
        return identity && { identity, origin: outcomeOf(matches, some) as unknown as Json };
      });
      if (outcome.kind !== 'added') return repeated(publication, outcome);
      if (!isDryRun) this.#observe(added.filter((_, position) => !outcome.existing.has(position)));
      const of = outcomeOf(matches, added);
      const { length } = publication.messages;
      const messages = publishedMessages(length, of, outcome.existing, !isDryRun);
      return { messages, isRepeated: false };
    };
    const [first] = jobs;
    if (first === undefined || isDryRun) return add();
    return traced(tracing?.add(first.queue, jobs.length, trace), add);
  }

  /** Which messages the subscriptions get, paused ones too. */
  async #matches(topic: string, { messages, isList }: Publication): Promise<readonly Match[]> {
    const subscriptions = await this.#parts.topicsInForce.of(topic);
    const matches: Match[] = [];
    for (const [at, input] of messages.entries()) {
      checkShape(jobInputShape, input, isList ? `[${at}]` : '');
      const matched = new MatchedMessage(input.name, input.data as Json);
      const data = JSON.stringify(input.data);
      const message = { ...input, data: new JsonText(data) };
      const path = isList ? `[${at}].` : '';
      if (at > 0) await this.#parts.clock.turn();
      for await (const some of inTurns(this.#parts.clock, subscriptions, MATCHED_AT_ONCE)) {
        for (const { subscription, matches: isMatch, size } of some) {
          if (!isMatch(matched)) continue;
          matches.push({ at, message, path, subscription, size: size + data.length });
        }
      }
    }
    return matches;
  }

  /** @throws DomainError `request-too-large`. */
  #checkSize(matches: readonly Match[]): void {
    const { maxJobsPerAdd } = this.#parts;
    if (matches.length > maxJobsPerAdd) {
      throw requestTooLarge(`A request must add at most ${counted(maxJobsPerAdd, 'job')}`);
    }
    const queues = new Set(matches.map(({ subscription }) => subscription.queue));
    if (queues.size > MOST_TOPIC_QUEUES) {
      throw requestTooLarge(`A request must add to at most ${MOST_TOPIC_QUEUES} queues`);
    }
  }

  /**
   * The jobs that the caller may add. A queue that is full and skipped needs no right.
   *
   * @throws DomainError `forbidden`.
   */
  async #permitted(jobs: readonly MessageJob[], caller: Caller): Promise<readonly MessageJob[]> {
    if (jobs.every(({ queue }) => caller.mayUse(queue))) return jobs;
    const { added } = await this.#stored(jobs, true);
    for (const { queue } of added) caller.requireQueue(queue);
    return added;
  }

  /**
   * Adds the jobs but those that full queues make their subscriptions skip.
   *
   * @param once of the jobs that are left.
   * @throws DomainError `queue-full`.
   */
  async #stored(
    jobs: readonly MessageJob[],
    isDryRun: boolean,
    once: (jobs: readonly MessageJob[]) => AddToQueues['once'] = () => undefined,
  ) {
    const { topics, policies } = this.#parts;
    const groups = await groupsOfJobs(jobs, (at) => `${jobs[at]?.path}opts`, this.#parts);
    const maxWaiting = (queue: QueueName) => policies.of(queue)?.maxWaiting;
    const maxWaitingOfGroup = (queue: QueueName) => groups.get(queue)?.maxWaiting;
    let added = jobs;
    for (let isFirst = true; ; isFirst = false) {
      const limits = { maxWaiting, maxWaitingOfGroup, isDryRun };
      const outcome = await topics.add({ jobs: added, ...limits, once: once(added) });
      if (outcome.kind !== 'full') return { added, outcome };
      added = jobsWithRoom(added, outcome, maxWaiting, isFirst);
    }
  }

  #observe(jobs: readonly MessageJob[]): void {
    for (const { queue } of jobs) this.#parts.observer.observe({ kind: 'added', queue, jobs: 1 });
  }
}

/** @throws DomainError `idempotency-key-reused` or `idempotency-key-in-use`. */
function repeated({ messages }: Publication, known: QueuesRecalled): Published {
  if (known.kind !== 'repeated') throw keyRefused(known.kind);
  const { origin, existing } = known;
  return { messages: publishedMessages(messages.length, origin, existing, true), isRepeated: true };
}
