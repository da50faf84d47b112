import type { AddOrigin } from '../../domain/records/remembered-add.ts';
import type { Existing } from '../../domain/transitions/add-to-queues.ts';
import type { Json } from '../../domain/values/json.ts';
import {
  listOf,
  mapOf,
  object,
  optional,
  required,
  string,
  type Shaped,
} from '../../domain/values/shape.ts';
import type { Match, MessageJob } from './message-jobs.ts';

/** What became of a message: its jobs by subscription, without ids in a dry run, and the subscriptions that it skipped. */
export const publishedMessageShape = object('Published', {
  matched: required(
    mapOf(
      string,
      object('PublishedJob', {
        queue: required(string, 'Its queue'),
        id: optional(string, 'Its id; absent in a dry run'),
      }),
      'be an object of subscriptions and jobs',
    ),
    'The job of each subscription that the message matches',
  ),
  skipped: required(
    listOf(string),
    'The subscriptions that it matches and that are paused, or skip messages while their queue is full',
  ),
});

export type PublishedMessage = Shaped<typeof publishedMessageShape>;

/** What is remembered of a call to answer a repeat: where each message went, and where it was skipped. */
interface Outcome extends AddOrigin {
  readonly skipped: readonly (readonly [at: number, subscription: string])[];
}

/** @param jobs those of the matches that are added. */
export function outcomeOf(matches: readonly Match[], jobs: readonly MessageJob[]): Outcome {
  const isAdded = new Set(jobs.map(({ at, subscription }) => `${at}/${subscription.id}`));
  return {
    jobs: jobs.map(({ at, subscription, queue, id }) => [at, subscription.id, queue, id]),
    skipped: matches.flatMap(({ at, subscription: { id } }) =>
      isAdded.has(`${at}/${id}`) ? [] : [[at, id] as const],
    ),
  };
}

/**
 * What became of the messages of a call.
 *
 * @param outcome as `outcomeOf` has it.
 * @param existing the jobs that stand for added ones.
 * @param hasIds whether jobs were stored.
 */
export function publishedMessages(
  count: number,
  outcome: Outcome | Json,
  existing: Existing,
  hasIds: boolean,
): readonly PublishedMessage[] {
  const { jobs, skipped } = outcome as Outcome;
  const messages = Array.from({ length: count }, () => ({
    matched: [] as [string, { queue: string; id?: string }][],
    skipped: [] as string[],
  }));
  for (const [position, [at, subscription, queue, given]] of jobs.entries()) {
    const { id } = existing.get(position) ?? { id: given };
    messages[at]?.matched.push([subscription, { queue, ...(hasIds && { id }) }]);
  }
  for (const [at, subscription] of skipped) messages[at]?.skipped.push(subscription);
  return messages.map(({ matched, skipped: rest }) => ({
    matched: Object.fromEntries(matched),
    skipped: rest,
  }));
}
